"""The command, and ``python -m metameasure``."""

import signal
import sys


def main() -> int:
    """Run the command. Until it can say that it was interrupted, Ctrl-C just ends it."""
    told = signal.signal(signal.SIGINT, signal.SIG_DFL)
    from metameasure.cli import main as run  # noqa: PLC0415 - with Ctrl-C seen to

    signal.signal(signal.SIGINT, told)
    return run()


if __name__ == "__main__":
    sys.exit(main())
