"""Who keeps the demo's PostgreSQL? This part: it starts it, says where it is, and stops it at the end.

`python -m app.demo.database <folder>` writes lines of JSON: `{"say": …}` for a person, `{"url": …}` when it is there,
`{"refused": …}` when it cannot be.
"""

import asyncio
import json
import signal
import sys
from pathlib import Path

from app.database.embedded import EmbeddedPostgres
from app.errors import BadConfiguration


async def keep(folder: Path) -> int:
    """Run until SIGTERM, then stop the server in good order; a start is never left half done."""
    stop = asyncio.Event()
    asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, stop.set)
    postgres = EmbeddedPostgres(folder)
    try:
        server = await asyncio.to_thread(postgres.start, say=lambda sentence: tell(say=sentence))
    except BadConfiguration as refused:
        tell(refused=str(refused))
        return 2
    tell(url=server.url_owner)
    await stop.wait()
    await asyncio.to_thread(postgres.stop)
    return 0


def tell(**line: str) -> None:
    """One line to the supervisor, who may be gone."""
    try:
        print(json.dumps(line), flush=True)
    except BrokenPipeError:
        return


if __name__ == "__main__":
    sys.exit(asyncio.run(keep(Path(sys.argv[1]))))
