"""A company at work while its workers are killed: customers write, a manager decides, and nobody waits for anybody."""

import asyncio
import random
import signal
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from dataclasses import dataclass, field
from datetime import datetime
from email.message import EmailMessage
from pathlib import Path
from typing import cast

import aiosmtplib
from sqlalchemy import func, select, text

from app.approvals.answer import Answer, Verdict, answer
from app.approvals.models import Approval, ApprovalStatus
from app.content import seal
from app.database.away import patiently
from app.database.transaction import Database
from app.employees.models import MailAddress
from app.ids import new_id
from app.notifications.outbox import put
from app.runs.cancel import cancel
from app.runs.models import Run, ToolCall
from app.runs.settle import Settlement, StillUnderWay, settle
from app.runs.states import ENDED, CallStatus, RunStatus, WaitingFor
from app.settings import Settings
from tests.faults.around import Around, free_port, open_around
from tests.faults.zygote import LEASE, Doomed, Zygote
from tests.people import Cast, make_cast
from tests.scripted import rest

SOON = 0.15  # seconds between two looks of a person
EFFECTS = ("send_reply", "refund_order")
REPLY, REFUND = 3, 4  # which intent of a task they are, where Nadia says yes: before them come reads and the note


@dataclass
class Scene:
    """One company with everything around it, and workers on demand."""

    people: Cast
    web: Database
    owner: Database
    around: Around
    zygote: Zygote
    settings: Settings
    address: str
    dice: random.Random
    noes: float = 0.1  # Nadia's share of refusals, and of changes
    customers: dict[str, str] = field(default_factory=dict)  # address -> order
    kept: set[str] = field(default_factory=set)  # mails of which the worker's door said that they are kept
    workers: list[Doomed] = field(default_factory=list)
    not_done: list[str] = field(default_factory=list)  # keys of mails that a person found not to have been sent

    async def worker(self, *, lease: int = LEASE, door: bool = True, **order: object) -> Doomed:
        """A fresh worker; with the door for customers' mails unless another has it."""
        settings = self.settings if door else self.settings.model_copy(update={"placet_mail_in": ""})
        self.workers.append(await self.zygote.start(settings, lease=lease, **order))
        return self.workers[-1]

    async def dismiss(self) -> None:
        """Kill every worker that still lives."""
        for one in self.workers:
            one.send(signal.SIGKILL)
            await one.ended(10)

    async def until(self, so: Callable[[], Awaitable[object]], seconds: float = 40, *, decides: bool = True) -> None:
        """Nadia decides, or looks on, until this is so. Raises TimeoutError."""
        async with asyncio.timeout(seconds):
            while not await so():
                if decides:
                    await self.decide()
                await asyncio.sleep(SOON)

    async def write(self, *, complaint: bool = True) -> str:
        """A new customer writes, again and again until the mail is kept, as mail servers do."""
        number = len(self.customers) + 1
        customer, order = f"customer{number}@{self.people.company.hex[-8:]}.example", f"MC-{5000 + number}"
        self.customers[customer] = order
        self.around.add_order(order, customer)
        mail = letter(customer, self.address, order, complaint=complaint)
        port = int(self.settings.placet_mail_in.rsplit(":", 1)[1])
        while customer not in self.kept:
            with suppress(aiosmtplib.SMTPException, OSError):
                await aiosmtplib.send(mail, hostname="127.0.0.1", port=port, timeout=5, start_tls=False)
                self.kept.add(customer)
                break
            await asyncio.sleep(SOON)
        return customer

    async def decide(self) -> None:
        """Nadia answers what waits, mostly yes; she never answers the same twice."""
        async with self.web.tenant(self.people.company) as session:
            waiting = select(Approval.id, ToolCall.tool).join(ToolCall, ToolCall.id == Approval.call_id)
            rows = list(await session.execute(waiting.where(Approval.status == ApprovalStatus.PENDING)))
        for approval_id, tool in rows:
            given = self._answer(tool)
            async with self.web.tenant(self.people.company) as session:
                await answer(session, approval_id, given, by=self.people.nadia.member, operation=new_id())

    def _answer(self, tool: str) -> Answer:
        chance = self.dice.random()
        if chance < self.noes:
            return Answer(Verdict.REJECT, "offer a new cup instead")
        if chance < 2 * self.noes and tool == "send_reply":
            return Answer(Verdict.APPROVE, "", {"body": "Bonjour, votre tasse arrive demain. Camille"})
        return Answer(Verdict.APPROVE)

    async def settle(self, share: float) -> None:
        """Nadia looks in the mailbox and says what happened to this share of what nobody knows; the rest stays open."""
        async with self.web.tenant(self.people.company) as session:
            unknown = select(ToolCall).where(ToolCall.status == CallStatus.UNCERTAIN, ToolCall.result_id.is_(None))
            calls = list(await session.scalars(unknown))
        for call in calls:
            if random.Random(str(call.id)).random() < share:
                how = self._found(call)
                with suppress(StillUnderWay):  # she looks again later
                    async with self.web.tenant(self.people.company) as session:
                        await settle(session, call.id, how, by=self.people.nadia.member, operation=new_id())
                    if how is not Settlement.HAPPENED:
                        self.not_done.append(str(call.idempotency_key))

    def _found(self, call: ToolCall) -> Settlement:
        if self.around.mailbox.times(message_id(call.idempotency_key)):
            return Settlement.HAPPENED
        return self.dice.choice([Settlement.DO_IT, Settlement.DID_NOT_HAPPEN])

    async def cancel(self) -> None:
        """Nadia ends the first task."""
        (run, *_) = await self.runs()
        async with self.web.tenant(self.people.company) as session:
            await cancel(session, run.id, by=self.people.nadia.member)

    async def remind(self) -> None:
        """A mail of the house to Nadia."""
        async with self.web.tenant(self.people.company) as session:
            facts = {"employee": "Camille", "link": "http://127.0.0.1/"}
            await put(session, "approval_reminder", self.people.nadia.user_id, about=None, facts=facts)

    async def people_at_work(self, *, at_once: int, share_settled: float = 0.7) -> None:
        """Until cancelled: customers write so that there is always work; Nadia decides and settles."""
        writing: set[asyncio.Task[str]] = set()
        while True:
            for _ in range(at_once - await patiently(self.open_runs) - len(writing)):
                task = asyncio.create_task(self.write(complaint=self.dice.random() < 0.7))
                writing.add(task)
                task.add_done_callback(writing.discard)
            await patiently(self.decide)
            await patiently(lambda: self.settle(share_settled))
            if self.dice.random() < 0.1:
                await patiently(self.remind)
            await asyncio.sleep(SOON)

    async def open_runs(self) -> int:
        """How many tasks a worker could go on with."""
        going = select(func.count()).where(Run.status.in_([RunStatus.QUEUED, RunStatus.RUNNING]))
        async with self.web.tenant(self.people.company) as session:
            return int(await session.scalar(going) or 0)

    async def at_rest(self, seconds: float, *, share_settled: float = 0.7) -> None:
        """Wait until nothing is left to do but what a person would have to find out."""
        async with asyncio.timeout(seconds):
            while True:
                await patiently(self.decide)
                await patiently(lambda: self.settle(share_settled))
                if await self._resting():
                    return
                await asyncio.sleep(SOON)

    async def _resting(self) -> bool:
        waits = (Run.status == RunStatus.WAITING) & (Run.waiting_for == WaitingFor.UNCERTAIN)
        rests = select(func.count()).where(Run.status.in_(ENDED) | waits)
        async with self.web.tenant(self.people.company) as session:
            resting = await session.scalar(rests)
        return resting == len(self.customers) and not await self.house_mails_left()

    async def house_mails_left(self) -> int:
        """How many of the house's mails have not gone; those that were tried are tried again now (a clock moved on)."""
        async with self.owner.tenant(self.people.company) as session:
            now = "UPDATE outbox SET due_at = clock_timestamp() WHERE due_at > clock_timestamp()"
            await session.execute(text(now))
            left = await session.scalar(text("SELECT count(*) FROM outbox WHERE status <> 'sent'"))
        return int(left or 0)

    async def runs(self) -> list[Run]:
        """The company's tasks."""
        async with self.web.tenant(self.people.company) as session:
            return list(await session.scalars(select(Run).order_by(Run.made_at)))

    async def calls(self, tool: str) -> list[ToolCall]:
        """The company's calls of one tool."""
        async with self.web.tenant(self.people.company) as session:
            return list(await session.scalars(select(ToolCall).where(ToolCall.tool == tool).order_by(ToolCall.made_at)))

    async def recipient(self, call: ToolCall) -> str:
        """To whom a reply goes."""
        async with self.web.tenant(self.people.company) as session:
            kept = await seal.read(session, call.arguments_id)
        return str(cast(dict[str, dict[str, str]], kept)["canonical"]["to"])

    async def said_yes(self, call: ToolCall) -> bool:
        """Whether Nadia agreed to it."""
        async with self.web.tenant(self.people.company) as session:
            yes = select(func.count()).where(Approval.call_id == call.id, Approval.status == ApprovalStatus.APPROVED)
            return bool(await session.scalar(yes))

    async def forget_reservations(self) -> None:
        """Sixteen minutes go by for what was set aside and never came back; a fresh worker finds it."""
        async with self.owner.tenant(self.people.company) as session:
            await session.execute(text("UPDATE usage SET made_at = made_at - interval '16 minutes'"))
        await self.worker(door=False)
        await self.until(self._all_closed)

    async def _all_closed(self) -> bool:
        async with self.owner.tenant(self.people.company) as session:
            return not await session.scalar(text("SELECT count(*) FROM usage WHERE status = 'reserved'"))

    async def database_clock(self) -> datetime:
        """What time it is for everybody."""
        async with self.web.unbound() as session:
            return (await session.execute(select(func.clock_timestamp()))).scalar_one()


def letter(customer: str, to: str, order: str, *, complaint: bool) -> EmailMessage:
    """A broken cup, or the question where the parcel is."""
    mail = EmailMessage()
    mail["From"], mail["To"] = f"Emma Walsh <{customer}>", to
    mail["Message-ID"] = f"<{customer}>"
    mail["Subject"] = f"Order {order}"
    wish = "Where is my parcel and when does it arrive?"
    if complaint:
        wish = "Sadly one of the two blue tea cups was broken. Could you refund me for the broken cup?"
    mail.set_content(f"Hello,\n\nI write about my order {order}. {wish}\n\nMany thanks,\nEmma Walsh\n")
    return mail


def message_id(key: str | None) -> str:
    """What the mail of a call is called at the mail server."""
    return f"<{key}@placet>"


@asynccontextmanager
async def open_scene(
    zygote: Zygote, settings: Settings, databases: tuple[Database, Database], folder: Path, seed: int
) -> AsyncIterator[Scene]:
    """A fresh company with everything around it."""
    web, owner = databases
    async with AsyncExitStack() as stack:
        around = await stack.enter_async_context(open_around(folder))
        people = await make_cast(owner)
        address = f"service.{people.company.hex[-12:]}@maison-colibri.example"
        async with owner.tenant(people.company) as session:
            session.add(MailAddress(tenant_id=people.company, id=new_id(), address=address, agent_id=people.camille))
        theirs = around.settings(settings, placet_mail_in=f"127.0.0.1:{free_port()}", worker_runs=4)
        scene = Scene(people, web, owner, around, zygote, theirs, address, random.Random(seed))
        try:
            yield scene
        finally:
            await scene.dismiss()
            await rest(owner, people.company)
