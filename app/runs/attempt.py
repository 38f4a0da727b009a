"""How does one effect go? The tool runs, and what came of it is told apart from what nobody knows."""

import asyncio
import logging
import secrets
import traceback
from dataclasses import dataclass
from uuid import UUID

from app.database.away import is_away
from app.errors import OutcomeUnknown, ToolError
from app.policy.decision import Kind
from app.runs import told
from app.runs.call import Arguments
from app.runs.outcome import Outcome
from app.runs.states import CallStatus
from app.tools.bounds import for_model
from app.tools.context import Context
from app.tools.mask import mask, mask_value
from app.tools.tool import Provenance, Tool

log = logging.getLogger(__name__)
SAME_KEY_TRIES = 3  # where the other side takes our key


@dataclass(frozen=True)
class Intent:
    """What is about to happen: committed before it does."""

    call_id: UUID
    tool: Tool
    arguments: Arguments
    context: Context
    note: str  # what a person changed before approving, for the model


async def attempt(intent: Intent) -> Outcome:
    """Run the tool. One whose side takes our key is tried again with it; nothing else is ever tried twice."""
    outcome = await _try(intent)
    for attempt in range(1, SAME_KEY_TRIES):
        if outcome.status is not CallStatus.UNCERTAIN or intent.tool.remembers_key_for is None:
            break
        await asyncio.sleep(0.5 * attempt)
        outcome = await _try(intent)
    return outcome


async def _try(intent: Intent) -> Outcome:
    tool = intent.tool
    reading = tool.kind is Kind.READ
    try:
        async with asyncio.timeout(tool.seconds):
            value = await tool.run(intent.context, intent.arguments)
    except ToolError as error:
        return _failed(tool, mask(str(error), intent.context.secrets))
    except (OutcomeUnknown, TimeoutError) as error:
        log.warning(
            "outcome_unknown",
            extra={"run": str(intent.context.run_id), "tool": tool.name, "error": type(error).__name__},
        )
        return _no_answer(tool)
    except Exception as error:  # one of the three places: a tool's bug ends its call, not the worker
        if is_away(error):
            raise  # the intent stands: the next worker finds it, and goes on as if this one had died
        reference = secrets.token_hex(4)
        trace = mask(traceback.format_exc(limit=-6), intent.context.secrets)
        log.error(
            "tool_broke",
            extra={"run": str(intent.context.run_id), "tool": tool.name, "reference": reference, "trace": trace},
        )
        if reading:
            return Outcome(
                CallStatus.FAILED, told.BROKE.format(reference=reference), is_error=True, reference=reference
            )
        return Outcome(CallStatus.UNCERTAIN, told.UNCERTAIN, reference=reference)
    value = mask_value(value, intent.context.secrets)  # before it is cut: half a secret would not be recognised
    text = mask(for_model(value, provenance=tool.provenance.value), intent.context.secrets)
    outside = tool.provenance is Provenance.OUTSIDE
    return Outcome(CallStatus.DONE, f"{intent.note}\n{text}" if intent.note else text, value, outside=outside)


def _failed(tool: Tool, sentence: str) -> Outcome:
    """The tool's own word. Of a foreign tool it is somebody else's, and what it says counts as read from outside."""
    if not tool.foreign:
        return Outcome(CallStatus.FAILED, sentence, is_error=True)
    text = for_model({"error": sentence}, provenance=tool.provenance.value)
    return Outcome(CallStatus.FAILED, text, {"error": sentence}, is_error=True, outside=True)


def _no_answer(tool: Tool) -> Outcome:
    if tool.kind is not Kind.READ:
        return Outcome(CallStatus.UNCERTAIN, told.UNCERTAIN)
    nothing = "" if tool.foreign else " Nothing was changed."  # that a foreign tool only reads is no more than a guess
    return Outcome(CallStatus.FAILED, f"It did not answer in time.{nothing}", is_error=True)
