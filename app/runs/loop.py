"""How does a run go on? The loop, one screen: look, then ask the model, or carry calls out, or wait, or end.

Nothing lives between two steps but the database: each `next_move` reads what is so, and any worker may make it.
"""

import asyncio

from app.runs.answered import Asked, ask_model
from app.runs.bind import bind
from app.runs.breakpoints import reach
from app.runs.claim import Lease
from app.runs.effects import execute
from app.runs.house import House
from app.runs.moves import Bind, CarryOut, LetGo, next_move


async def advance(lease: Lease, house: House) -> None:
    """Bring one claimed run as far as it will go. Raises LeaseLost where another worker took it over."""
    await reach("claimed")
    while not lease.leaving:
        match await next_move(lease, house):
            case Bind():
                await bind(lease, house)
            case CarryOut() as these:
                await carry_out(lease, house, these)
            case Asked() as asked:
                await reach("before_request")
                if not await ask_model(lease, house, asked):
                    return
            case LetGo():
                return
    await lease.give_back()


async def carry_out(lease: Lease, house: House, these: CarryOut) -> None:
    """Reads together, then the effects one after another in their order. None goes on after the run was dropped."""
    reads = (execute(lease, house, call_id, these.limits) for call_id in these.reads)
    for failure in await asyncio.gather(*reads, return_exceptions=True):
        if failure is not None:
            raise failure
    for call_id in these.effects:
        if lease.leaving:
            return
        await execute(lease, house, call_id, these.limits)
