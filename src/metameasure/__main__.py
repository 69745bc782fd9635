"""The command, and ``python -m metameasure``."""

import signal
import sys


def main() -> int:
    """Run the command. Until it can say that it was interrupted, Ctrl-C just ends it; once it is done, Ctrl-C comes too late."""
    handler = signal.signal(signal.SIGINT, signal.SIG_DFL)
    from metameasure.cli import main as run  # noqa: PLC0415 - with Ctrl-C seen to

    signal.signal(signal.SIGINT, handler)
    status = run()
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    return status


if __name__ == "__main__":
    sys.exit(main())
