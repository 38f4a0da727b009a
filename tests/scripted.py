"""Tasks whose model answers are written down, and a hand in the database: what tests of the core attack with."""

import json
import re
from dataclasses import dataclass, fields, replace
from typing import Any, cast
from uuid import UUID

from pydantic import JsonValue
from sqlalchemy import select, text, update

from app.approvals.models import ApprovalStatus
from app.audit.models import Entry
from app.content import seal
from app.conversations.say import give_task, say
from app.database.base import TenantOwned
from app.database.transaction import Database
from app.employees.models import Agent, JobSheet
from app.ids import new_id
from app.runs.models import Run, ToolCall, Turn
from app.runs.states import ENDED
from tests.people import Cast, Someone
from tests.world import World

ORDER = "MC-1042"  # of Emma Walsh; a task that names it is about it
EMMA = "emma.walsh@example.com"
Line = dict[str, JsonValue]


def use(tool: str, /, why: str = "The customer has a right to it.", **arguments: JsonValue) -> Line:
    """A line of a script: this call. Reads carry no reason."""
    return {"tool": tool, "input": {**arguments, "_why": why} if why else dict(arguments)}


def read(tool: str, /, **arguments: JsonValue) -> Line:
    """A line of a script: this read."""
    return use(tool, why="", **arguments)


def refund(amount: str = "10.00", reason: str = "One cup arrived broken.") -> Line:
    """A line of a script that asks: money back."""
    return use("refund_order", amount=amount, reason=reason)


def mail(body: str = "Dear Emma, we are sorry.") -> Line:
    """A line of a script that asks: a mail to the customer."""
    return use("send_reply", subject="Your order", body=body)


def words(text: str = "I am done.") -> Line:
    """A line of a script: what the model says."""
    return {"text": text}


def script(*turns: list[Line]) -> str:
    """A task that holds its own script. Orders in the script are spelled so that the task does not name them."""
    told = re.sub("(?i)(mc)-", r"\1\\u002d", json.dumps(turns))
    return f"It is about order {ORDER}. <script>{told}</script>"


@dataclass
class Scripted(World):
    """A world in which the practice model plays the script that its task holds."""

    async def give(self, people: Cast, *turns: list[Line], by: Someone | None = None) -> UUID:
        """Give Camille a task with a script and bring it on; gives back the conversation."""
        who = by or people.nadia
        async with self.web.tenant(who.tenant_id) as session:
            conversation = await give_task(session, people.camille, script(*turns), by=who.member, operation=new_id())
        await self.work()
        return conversation

    async def say(self, who: Someone, conversation: UUID, text: str) -> None:
        """Say something in a conversation, and leave the rest to the workers."""
        async with self.web.tenant(who.tenant_id) as session:
            await say(session, conversation, text, by=who.member, operation=new_id())

    async def run(self, people: Cast) -> Run:
        """The company's newest run."""
        return (await self.runs(people.company))[-1]

    async def results(self, people: Cast, tool: str | None = None) -> list[str]:
        """What the model was told about each call, in order."""
        calls = await self.calls(people.company, tool)
        async with self.web.tenant(people.company) as session:
            kept = await seal.read_many(session, [call.result_id for call in calls])
        return [str(cast(dict[str, Any], kept[call.result_id])["text"]) for call in calls if call.result_id]

    async def journal(self, people: Cast, *events: str) -> list[Entry]:
        """The journal's lines, or those with these names."""
        async with self.web.tenant(people.company) as session:
            lines = await session.scalars(
                select(Entry).where(Entry.tenant_id == people.company).order_by(Entry.position)
            )
            return [line for line in lines if not events or line.event in events]

    async def turns(self, people: Cast) -> list[Turn]:
        """The turns of the company's runs, in order."""
        async with self.web.tenant(people.company) as session:
            return list(
                await session.scalars(select(Turn).where(Turn.tenant_id == people.company).order_by(Turn.made_at))
            )

    async def rewrite(self, row: TenantOwned, **values: Any) -> None:
        """Change a row behind everybody's back, with the owner's rights."""
        async with self.owner.tenant(row.tenant_id) as session:
            table = type(row)
            await session.execute(
                update(table).where(table.tenant_id == row.tenant_id, table.id == row.id).values(**values)
            )

    async def tamper(self, row: TenantOwned, arguments: dict[str, JsonValue]) -> None:
        """Replace the arguments that a call or a request holds, with the owner's rights."""
        async with self.owner.tenant(row.tenant_id) as session:
            kept = {"model": arguments, "canonical": arguments, "why": "…", "exception": ""}
            content = await seal.keep(session, kept)
        await self.rewrite(row, arguments_id=content)

    async def revise(self, people: Cast, *, on_trial: bool | None = None, **values: Any) -> None:
        """Give Camille a new version of her job sheet, with these columns changed."""
        async with self.owner.tenant(people.company) as session:
            agent = await session.get_one(Agent, (people.company, people.camille))
            old = (
                await session.scalars(
                    select(JobSheet).where(JobSheet.agent_id == agent.id, JobSheet.version == agent.sheet_version)
                )
            ).one()
            kept = {column.name: getattr(old, column.name) for column in JobSheet.__table__.columns}
            session.add(JobSheet(**{**kept, "id": new_id(), "version": old.version + 1, **values}))
            agent.sheet_version, agent.on_trial = old.version + 1, agent.on_trial if on_trial is None else on_trial

    async def asked_of_model(self) -> dict[str, Any]:
        """The practice model's own counts: requests, refusals, the bill."""
        return cast(dict[str, Any], (await self.practice.get("/practice/requests")).json())

    async def order_fault(self, **fault: JsonValue) -> None:
        """Let the practice model's next answer go wrong."""
        assert (await self.practice.post("/practice/faults", json=fault)).status_code == 201

    async def due_now(self, people: Cast) -> None:
        """Let every waiting run look again, as if its time had come."""
        for run in await self.runs(people.company):
            if run.status.value == "waiting":
                await self.rewrite(run, due_at=run.made_at)

    def sent(self) -> int:
        """How many mails reached the mail server, copies counted."""
        return sum(self.mailbox.times(mail.message_id) for mail in self.mailbox.mails())

    async def one(self, people: Cast, tool: str) -> ToolCall:
        """The only call of this tool."""
        (call,) = await self.calls(people.company, tool)
        return call


def with_model(world: World, model: str) -> Scripted:
    """The same world with another of the practice models."""
    settings = world.house.settings.model_copy(update={"placet_model": model})
    parts = {field.name: getattr(world, field.name) for field in fields(world)}
    return Scripted(**{**parts, "house": replace(world.house, settings=settings)})


async def rest(owner: Database, tenant_id: UUID) -> None:
    """Nothing of this company is due any more: workers of other tests would take it up."""
    async with owner.tenant(tenant_id) as session:
        await session.execute(REST, {"company": tenant_id, "ended": list(ENDED), "pending": ApprovalStatus.PENDING})


REST = text("""
WITH tomorrow AS (SELECT clock_timestamp() + interval '1 day' AS at),
  tasks AS (UPDATE runs SET due_at = at, lease_until = CASE WHEN lease_until IS NOT NULL THEN at END
    FROM tomorrow WHERE tenant_id = :company AND status <> ALL (:ended)),
  questions AS (UPDATE approvals SET remind_at = at, expires_at = at
    FROM tomorrow WHERE tenant_id = :company AND status = :pending)
UPDATE outbox SET due_at = at FROM tomorrow WHERE tenant_id = :company
""")  # one statement: it ends every test
