"""What becomes of a call that the model asks for? Checked, guarded, decided, in the transaction that keeps the turn."""

from dataclasses import dataclass
from typing import cast
from uuid import UUID

from pydantic import JsonValue
from sqlalchemy.ext.asyncio import AsyncSession

from app.approvals.ask import ask, open_requests
from app.ceilings.reserve import give_back
from app.content import seal
from app.ids import new_id
from app.policy.decide import listed
from app.policy.decision import Mode
from app.runs import guards, told
from app.runs.decided import decided
from app.runs.facts import facts_for
from app.runs.limits import Limits
from app.runs.models import ToolCall, Turn
from app.runs.normal import nearly
from app.runs.situation import Situation
from app.runs.states import CallStatus
from app.settings import Settings
from app.tools.tool import EXCEPTION, LONGEST_WHY, WHY, ArgumentsInvalid, NothingBound, Tool

Arguments = dict[str, JsonValue]


@dataclass
class Wanted:
    """A call as the model asked for it, with our two fields taken off."""

    tool_use_id: str
    name: str
    given: Arguments
    why: str
    cited: str


def wanted(block: dict[str, JsonValue]) -> Wanted:
    """Read a `tool_use` block. Whatever is not an object counts as no arguments."""
    given = dict(cast(Arguments, block.get("input"))) if isinstance(block.get("input"), dict) else {}
    why, cited = given.pop(WHY, ""), given.pop(EXCEPTION, "")
    return Wanted(str(block["id"]), str(block.get("name", "")), given, str(why or "")[:LONGEST_WHY], str(cited or ""))


async def take(
    session: AsyncSession,
    situation: Situation,
    turn: Turn,
    blocks: list[dict[str, JsonValue]],
    *,
    limits: Limits,
    settings: Settings,
) -> None:
    """Keep every call of a turn with its decision; those that ask get their request, those refused their result.

    All are decided first: totals are counted before the journal's chain is held, in every transaction alike.
    """
    before, asking = len(situation.calls), list[tuple[ToolCall, Arguments]]()
    for position, block in enumerate(blocks):
        call, canonical = await _take(session, situation, turn, position, wanted(block), limits=limits)
        situation.calls.append(call)
        asking += [(call, canonical)] if _asks(call) else []
    for call, canonical in asking:
        await _ask(session, situation, call, canonical, limits=limits, settings=settings)
    assert len(situation.calls) == before + len(blocks)  # every call gets its row, so its result (promise 6)


async def _take(
    session: AsyncSession,
    situation: Situation,
    turn: Turn,
    position: int,
    asked: Wanted,
    *,
    limits: Limits,
) -> tuple[ToolCall, Arguments]:
    tool = situation.tools.get(asked.name)
    call = _row(situation, turn, position, asked, tool)
    canonical, problem = _checked(situation, tool, asked)
    await _keep_arguments(session, call, tool, asked, canonical)
    session.add(call)
    if problem is not None or tool is None:
        await give_result(session, call, CallStatus.FAILED, problem or "", is_error=True)
    elif (stop := _guard(situation, call, tool, limits)) is not None:
        await give_result(session, call, CallStatus.REFUSED, stop.text, refused_by=f"guard:{stop.guard}")
    else:
        await _judge(session, situation, call, tool, canonical, cited=asked.cited)
    return call, canonical


def _row(situation: Situation, turn: Turn, position: int, asked: Wanted, tool: Tool | None) -> ToolCall:
    return ToolCall(
        tenant_id=turn.tenant_id,
        id=new_id(),
        run_id=turn.run_id,
        turn_id=turn.id,
        position=position,
        tool_use_id=asked.tool_use_id,
        tool=asked.name[:128],
        kind=tool.kind if tool else None,
        trail=[],
        sheet_id=situation.sheet.id,
        status=CallStatus.READY,
        is_error=False,
    )


def _checked(situation: Situation, tool: Tool | None, asked: Wanted) -> tuple[Arguments, str | None]:
    """The canonical arguments, or what is wrong with the call, for the model to mend."""
    if tool is None or not listed(facts_for(situation, tool, {}, cited=None)):
        return {}, told.unknown(asked.name, sorted(_seen(situation)))
    try:
        canonical = tool.check(asked.given, situation.about)
    except ArgumentsInvalid as error:
        return {}, told.invalid(tool, error)
    except NothingBound as error:
        return {}, told.nothing_bound(error)
    if tool.may_ask and not asked.why.strip():
        return {}, told.missing_why(tool)
    return canonical, None


async def settle_mode(
    session: AsyncSession,
    situation: Situation,
    call: ToolCall,
    tool: Tool,
    canonical: Arguments,
    *,
    cited: str,
    limits: Limits,
    settings: Settings,
    intending: bool = False,
) -> None:
    """Decide `call`, write the decision with its trail, and refuse, ask or leave it ready accordingly.

    `intending`: its intent is written next, so an exception that lets it through is used up by it.
    """
    await _judge(session, situation, call, tool, canonical, cited=cited, intending=intending)
    if _asks(call):
        await _ask(session, situation, call, canonical, limits=limits, settings=settings)


async def _judge(
    session: AsyncSession,
    situation: Situation,
    call: ToolCall,
    tool: Tool,
    canonical: Arguments,
    *,
    cited: str,
    intending: bool = False,
) -> None:
    """The decision is written, and a refusal is its result; who is to be asked comes next."""
    decision = await decided(session, situation, call, tool, canonical, cited=cited, intending=intending)
    call.mode, call.trail = decision.mode, cast("list[object]", decision.to_json()["trail"])
    call.sheet_id, call.status = situation.sheet.id, CallStatus.READY
    if decision.refusal is not None or decision.mode is Mode.NEVER:
        rule = decision.refusal or decision.because
        await give_result(session, call, CallStatus.REFUSED, told.by_policy(rule), refused_by=f"policy:{rule}")


def _asks(call: ToolCall) -> bool:
    return call.mode is Mode.ASK and call.status is CallStatus.READY


async def _ask(
    session: AsyncSession,
    situation: Situation,
    call: ToolCall,
    canonical: Arguments,
    *,
    limits: Limits,
    settings: Settings,
) -> None:
    correspondent = situation.about.get("correspondent")
    about = await seal.mark(session, correspondent) if correspondent else None
    count = await open_requests(session, situation.agent.id, about)
    if count >= limits.open_requests:
        text = told.BUSY.format(count=count)
        await give_result(session, call, CallStatus.REFUSED, text, refused_by="guard:open_requests")
        return
    call.status = CallStatus.ASKING
    await session.flush()  # the request refers to it
    request = await ask(
        session, call, canonical, agent_id=situation.agent.id, correspondent_mark=about, settings=settings
    )
    situation.approvals[call.id] = request


async def give_result(
    session: AsyncSession,
    call: ToolCall,
    status: CallStatus,
    text: str,
    *,
    is_error: bool = False,
    refused_by: str | None = None,
) -> None:
    """End a call that did not run with what the model will read (promise 6); what it held of ceilings is free."""
    await give_back(session, call.id)
    call.result_id = await seal.keep(session, {"text": text, "value": None, "provenance": "house"})
    call.status, call.is_error, call.refused_by = status, is_error, refused_by


async def mark_arguments(session: AsyncSession, call: ToolCall, tool: Tool | None, canonical: Arguments) -> None:
    """The keyed hashes that hold a decision to these exact arguments (promise 2) and recognise nearly the same."""
    call.arguments_mark = await seal.mark(session, [call.tool, canonical])
    call.nearly_mark = await seal.mark(session, [call.tool, nearly(canonical)])
    targets: Arguments = {name: canonical.get(name) for name in sorted(tool.targets)} if tool else {}
    call.target_mark = await seal.mark(session, ["target", nearly(list(targets.values()))]) if targets else None


async def _keep_arguments(
    session: AsyncSession, call: ToolCall, tool: Tool | None, asked: Wanted, canonical: Arguments
) -> None:
    kept: Arguments = {"model": asked.given, "canonical": canonical, "why": asked.why, "exception": asked.cited}
    call.arguments_id = await seal.keep(session, kept)
    await mark_arguments(session, call, tool, canonical or asked.given)


def _guard(situation: Situation, call: ToolCall, tool: Tool, limits: Limits) -> guards.Refusal | None:
    def seen(one: ToolCall) -> guards.Earlier:
        return guards.Earlier(one.tool, one.kind, one.status, one.arguments_mark, one.nearly_mark, one.result_mark)

    earlier = [seen(one) for one in situation.calls]
    return guards.refuse(earlier, seen(call), limits, uses=tool.uses_a_run, changes_by_itself=tool.changes_by_itself)


def _seen(situation: Situation) -> list[str]:
    return [name for name, tool in situation.tools.items() if listed(facts_for(situation, tool, {}, cited=None))]


def shown_tools(situation: Situation) -> list[Tool]:
    """The tools that the model sees, in a stable order; what may never be done is absent (promise 1)."""
    return [situation.tools[name] for name in sorted(_seen(situation))]


async def kept(session: AsyncSession, call_ids: list[UUID]) -> dict[UUID, Arguments]:
    """What was kept under these content ids, as objects."""
    return {key: cast(Arguments, value) for key, value in (await seal.read_many(session, call_ids)).items()}
