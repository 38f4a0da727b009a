"""Things that tests need in the database: a task that asks, one that is done, an effect of which nobody knows."""

from dataclasses import dataclass
from decimal import Decimal
from uuid import UUID, uuid4

from pydantic import JsonValue
from sqlalchemy import func, select

from app.approvals.ask import ask
from app.content import seal
from app.conversations.models import Author, Conversation, ConversationKind, Mail, Message, MessageKind
from app.database.transaction import Database
from app.employees.models import JobSheet
from app.ids import new_id
from app.policy.decision import Decision, Kind, Mode
from app.runs.call import mark_arguments
from app.runs.models import Origin, Run, ToolCall, Turn
from app.runs.states import CallStatus, RunStatus, WaitingFor
from app.settings import Settings
from app.tools.catalogue import TOOLS

MAIL: dict[str, JsonValue] = {
    "from": "claire@example.org",
    "from_name": "Claire Dubois",
    "to": "service@maison-colibri.example",
    "subject": "Broken cup",
    "date": "Tue, 01 Dec 2026 09:12:00 +0100",
    "body": "The cup arrived broken. <script>alert(1)</script>",
    "message_id": "<1@example.org>",
    "references": "",
    "raw": "",
}
ORDER: dict[str, JsonValue] = {
    "order": "MC-1042",
    "customer": "Claire Dubois",
    "status": "delivered",
    "ordered_on": "2026-11-24",
    "items": [{"name": "Tea cup", "quantity": 2, "unit_price": "24.90"}],
    "paid": "49.80",
    "refunded": "0.00",
    "currency": "EUR",
    "tracking": None,
    "customer_note": None,
}
REPLY: dict[str, JsonValue] = {
    "subject": "Your cup",
    "body": "Dear Claire, we are sorry.",
    "to": "claire@example.org",
    "in_reply_to": "<1@example.org>",
}
REFUND: dict[str, JsonValue] = {"amount": "24.90", "reason": "Arrived broken", "order": "MC-1042"}
WHY = "The cup arrived broken."


@dataclass(frozen=True)
class Pending:
    """A task that waits for a person."""

    id: UUID  # of the request
    run_id: UUID
    call_id: UUID
    conversation_id: UUID


@dataclass
class House:
    """Makes rows as the worker would, of one company and one employee."""

    worker: Database
    settings: Settings
    tenant_id: UUID
    agent_id: UUID

    async def asks(
        self, tool: str = "send_reply", arguments: dict[str, JsonValue] | None = None, *, outside: bool = True
    ) -> Pending:
        """A mail came, was read, the order looked up; now this call asks. Not `outside`: nothing counts as such."""
        wanted = arguments or (REPLY if tool == "send_reply" else REFUND)
        return await self._task(tool, wanted, CallStatus.ASKING, outside=outside)

    async def does_not_know(self) -> Pending:
        """A refund whose outcome nobody knows."""
        return await self._task("refund_order", REFUND, CallStatus.UNCERTAIN)

    async def _task(
        self, tool: str, arguments: dict[str, JsonValue], status: CallStatus, *, outside: bool = True
    ) -> Pending:
        async with self.worker.tenant(self.tenant_id) as session:
            sheet_id = await session.scalar(select(JobSheet.id).where(JobSheet.agent_id == self.agent_id))
            assert sheet_id is not None
            conversation = Conversation(
                tenant_id=self.tenant_id,
                id=new_id(),
                agent_id=self.agent_id,
                kind=ConversationKind.MAIL,
                title_id=await seal.keep(session, "Broken cup"),
                outside_at=func.clock_timestamp() if outside else None,
            )
            session.add(conversation)
            await session.flush()  # the task refers to it
            mail_id = await self._mail(session, conversation.id)
            about: JsonValue = {"mail": str(mail_id), "correspondent": "claire@example.org", "order": "MC-1042"}
            waiting = WaitingFor.PERSON if status is CallStatus.ASKING else WaitingFor.UNCERTAIN
            run = Run(
                tenant_id=self.tenant_id,
                id=new_id(),
                agent_id=self.agent_id,
                conversation_id=conversation.id,
                origin=Origin.TRIGGER,
                status=RunStatus.WAITING,
                waiting_for=waiting,
                due_at=func.clock_timestamp() + func.make_interval(0, 0, 0, 1),
                outside_read=outside,
                bound_id=await seal.keep(session, about),
            )
            session.add(run)
            await session.flush()  # turns refer to it
            looked: dict[str, JsonValue] = {"order_number": "MC-1042", "correspondent": "claire@example.org"}
            await self._call(
                session, run, sheet_id, 1, "read_mail", {"mail": str(mail_id)}, CallStatus.DONE, dict(MAIL)
            )
            await self._call(session, run, sheet_id, 2, "lookup_order", looked, CallStatus.DONE, dict(ORDER))
            call = await self._call(session, run, sheet_id, 3, tool, arguments, status, None)
            request_id = new_id()
            if status is CallStatus.ASKING:
                asked = await ask(
                    session, call, arguments, agent_id=self.agent_id, correspondent_mark=None, settings=self.settings
                )
                request_id = asked.id
        return Pending(request_id, run.id, call.id, conversation.id)

    async def _mail(self, session, conversation_id: UUID) -> UUID:
        mail = Mail(
            tenant_id=self.tenant_id,
            id=new_id(),
            mark=uuid4().hex,
            conversation_id=conversation_id,
            content_id=await seal.keep(session, dict(MAIL)),
        )
        session.add(mail)
        session.add(
            Message(
                tenant_id=self.tenant_id,
                id=new_id(),
                conversation_id=conversation_id,
                author=Author.OUTSIDE,
                kind=MessageKind.MAIL,
                drawn_from_outside=True,
                content_id=await seal.keep(session, {"mail_id": str(mail.id)}),
            )
        )
        await session.flush()
        return mail.id

    async def _call(self, session, run, sheet_id, number, name, arguments, status, value) -> ToolCall:
        tool = TOOLS[name]
        turn = Turn(
            tenant_id=self.tenant_id,
            id=new_id(),
            run_id=run.id,
            number=number,
            stop_reason="tool_use",
            model="practice",
            input_tokens=1200,
            output_tokens=80,
            cache_read_tokens=400,
            cache_write_tokens=100,
            cost_usd=Decimal("0.0042"),
            duration_ms=900,
            rules_mark="",
            content_id=await seal.keep(session, {"blocks": [{"type": "text", "text": f"Step {number}."}]}),
        )
        session.add(turn)
        await session.flush()  # the call refers to it
        decision = _decision(tool.kind)
        kept: JsonValue = {"model": arguments, "canonical": arguments, "why": WHY, "exception": ""}
        result: JsonValue = {"text": "{}", "value": value, "provenance": tool.provenance.value}
        call = ToolCall(
            tenant_id=self.tenant_id,
            id=new_id(),
            run_id=run.id,
            turn_id=turn.id,
            position=0,
            tool_use_id=f"toolu_{number}",
            tool=name,
            kind=tool.kind,
            mode=decision.mode,
            trail=decision.to_json()["trail"],
            sheet_id=sheet_id,
            status=status,
            arguments_id=await seal.keep(session, kept),
            result_id=await seal.keep(session, result) if status is CallStatus.DONE else None,
            brings_outside=tool.provenance.value == "outside",
            intent_at=func.clock_timestamp() if status is not CallStatus.ASKING else None,
            outcome_at=func.clock_timestamp() if status is not CallStatus.ASKING else None,
        )
        await mark_arguments(session, call, tool, arguments)
        session.add(call)
        await session.flush()
        return call


def _decision(kind: Kind) -> Decision:
    if kind is Kind.READ:
        return Decision(Mode.DO).at_least(Mode.DO, because="default")
    return Decision(Mode.ASK).at_least(Mode.ASK, because="default").at_least(Mode.ASK, because="trial")
