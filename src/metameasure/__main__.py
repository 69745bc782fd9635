"""The command, and ``python -m metameasure``."""

import os
import signal
import sys
from types import FrameType

_ENDING = [getattr(signal, name) for name in ("SIGTERM", "SIGHUP") if hasattr(signal, name)]


def main() -> int:
    """Run the command. Until it can say that it was interrupted, Ctrl-C just ends it; once it is done, Ctrl-C comes too late.
    What else asks a process to end (``kill``, a terminal that is closed) is obeyed as Ctrl-C is, so that nothing is left behind;
    then the signal ends the process, as whoever sent it expects."""
    handler = signal.signal(signal.SIGINT, signal.SIG_DFL)
    from metameasure.cli import main as run  # noqa: PLC0415 - with Ctrl-C seen to

    signal.signal(signal.SIGINT, handler)
    received: list[int] = []

    def end(number: int, _: FrameType | None) -> None:
        received.append(number)
        signal.signal(number, signal.SIG_DFL)  # who asks twice does not want to wait
        raise KeyboardInterrupt

    for number in _ENDING:
        if signal.getsignal(number) == signal.SIG_DFL:  # nohup ignores them, and so do we
            signal.signal(number, end)
    status = run()
    for number in (signal.SIGINT, *_ENDING):
        signal.signal(number, signal.SIG_IGN)
    if received:
        signal.signal(received[0], signal.SIG_DFL)
        os.kill(os.getpid(), received[0])
    return status


if __name__ == "__main__":
    sys.exit(main())
