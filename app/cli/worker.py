"""`placet worker`: who does the employees' work?"""

import asyncio
import signal

from app.cli.production import configured, with_model
from app.settings import Settings


def worker() -> None:
    """Do the employees' work, send mail, and take mail in if PLACET_MAIL_IN says where. Run as many as you like."""
    asyncio.run(_run(with_model(configured())))


async def _run(settings: Settings) -> None:
    """Work until SIGTERM or Ctrl-C."""
    # Imported here, as in each command: `placet --help` need not load what only one of them runs.
    from app.database.at_start import require_ready
    from app.database.engine import DatabaseRole
    from app.model.key import refuse_wrong_key
    from app.worker.intake import take_mail_in
    from app.worker.main import work

    stop = asyncio.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        asyncio.get_running_loop().add_signal_handler(number, stop.set)
    require_ready(settings.database_url, settings.app_secret, DatabaseRole.WORKER)
    await refuse_wrong_key(settings)
    async with take_mail_in(settings):
        await work(settings, stop)
