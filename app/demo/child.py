"""How does a part of the demo end when the demo was killed? It holds a pipe of the supervisor's and sees it close.

`python -m app.demo.child <descriptor> <module> [arguments]` runs the module as `python -m` would. The kernel closes
the other end of the pipe however the supervisor ends, `kill -9` included; then this process ends in good order.
"""

import os
import runpy
import signal
import sys
import threading
import time

SECONDS_TO_END = 10.0


def end_with(pipe: int) -> None:
    """Wait until the supervisor is gone, then end: first as asked politely, then at once."""
    while os.read(pipe, 1):
        continue
    os.kill(os.getpid(), signal.SIGTERM)
    time.sleep(SECONDS_TO_END)
    os._exit(1)


def main() -> None:
    """Watch the pipe in a thread, and become the module."""
    pipe, module = int(sys.argv[1]), sys.argv[2]
    threading.Thread(target=end_with, args=(pipe,), daemon=True).start()
    sys.argv = [module, *sys.argv[3:]]
    runpy.run_module(module, run_name="__main__", alter_sys=True)


if __name__ == "__main__":
    main()
