"""The world around a run: a practice model, a shop and a mail server, all real, and a worker's hands."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from email.message import EmailMessage
from pathlib import Path
from uuid import UUID

import httpx2
from sqlalchemy import select

from app.approvals.answer import Answer, Verdict, answer
from app.approvals.models import Approval, ApprovalStatus
from app.conversations.arrive import arrive
from app.conversations.models import Conversation
from app.database.transaction import Database
from app.demo.mailbox.smtp import Faults, serve_smtp
from app.demo.mailbox.store import Mailbox
from app.demo.serving import listen
from app.demo.shop.application import create_app as create_shop
from app.employees.models import MailAddress
from app.ids import new_id
from app.model.practice.server import create_app as create_practice
from app.runs.claim import Lease, claim
from app.runs.house import House
from app.runs.loop import advance
from app.runs.models import Run, ToolCall
from app.settings import Settings
from app.worker.main import make_house
from tests.people import Cast, Someone
from tests.serving import serving

SHOP_KEY = "a key of the shop in tests"


@dataclass
class World:
    """What stands around Placet in a test."""

    house: House
    web: Database
    worker: Database
    mailbox: Mailbox
    faults: Faults
    shop: httpx2.AsyncClient
    practice: httpx2.AsyncClient
    owner: Database

    async def step(self) -> int:
        """Claim what is due once and bring it on; how many runs that were."""
        leases: list[Lease] = await claim(self.worker, 50)
        await asyncio.gather(*(advance(lease, self.house) for lease in leases))
        return len(leases)

    async def work(self) -> None:
        """Bring everything on until nothing is due."""
        for _ in range(100):
            if not await self.step():
                return
        raise AssertionError("the runs never come to rest")

    async def pending(self, tenant_id: UUID) -> list[tuple[Approval, ToolCall]]:
        """What waits for a person, the oldest first."""
        async with self.web.tenant(tenant_id) as session:
            rows = await session.execute(
                select(Approval, ToolCall)
                .join(ToolCall, (ToolCall.tenant_id == Approval.tenant_id) & (ToolCall.id == Approval.call_id))
                .where(Approval.tenant_id == tenant_id, Approval.status == ApprovalStatus.PENDING)
                .order_by(Approval.asked_at)
            )
            return [(row[0], row[1]) for row in rows]

    async def answer(self, who: Someone, approval_id: UUID, verdict: str, comment: str = "", **changed: str) -> None:
        """Answer as a person does, through the one verb."""
        given = Answer(Verdict(verdict), comment, changed or None)
        async with self.web.tenant(who.tenant_id) as session:
            await answer(session, approval_id, given, by=who.member, operation=new_id())

    async def mail(self, people: Cast, mail: EmailMessage) -> UUID:
        """Let a mail arrive for Camille; gives back the conversation."""
        address = f"service.{people.company.hex[-12:]}@maison-colibri.example"
        async with self.web.tenant(people.company) as session:
            known = await session.scalar(select(MailAddress.id).where(MailAddress.address == address))
        if known is None:
            await self._address(people, address)
        assert await arrive(self.worker, mail.as_bytes(), to=address)
        async with self.web.tenant(people.company) as session:
            newest = select(Conversation.id).where(Conversation.tenant_id == people.company)
            found = await session.scalar(newest.order_by(Conversation.made_at.desc(), Conversation.id.desc()))
        assert found is not None
        return found

    async def runs(self, tenant_id: UUID) -> list[Run]:
        """The company's runs, the oldest first."""
        async with self.web.tenant(tenant_id) as session:
            return list(await session.scalars(select(Run).where(Run.tenant_id == tenant_id).order_by(Run.made_at)))

    async def calls(self, tenant_id: UUID, tool: str | None = None) -> list[ToolCall]:
        """The company's calls, or those of one tool."""
        async with self.web.tenant(tenant_id) as session:
            wanted = (
                select(ToolCall).where(ToolCall.tenant_id == tenant_id).order_by(ToolCall.made_at, ToolCall.position)
            )
            return list(await session.scalars(wanted.where(ToolCall.tool == tool) if tool else wanted))

    async def refunded(self, order: str) -> str:
        """What the shop itself says was refunded."""
        answer = await self.shop.get(f"/orders/{order}")
        return str(answer.json()["refunded"])

    async def _address(self, people: Cast, address: str) -> None:
        async with self.owner.tenant(people.company) as session:
            session.add(MailAddress(tenant_id=people.company, id=new_id(), address=address, agent_id=people.camille))


@asynccontextmanager
async def open_world(settings: Settings, folder: Path, databases: dict[str, Database]) -> AsyncIterator[World]:
    """Start the servers around Placet on free ports, and stop them."""
    smtp = listen(0)
    mailbox, faults = Mailbox(folder / "mailbox.sqlite"), Faults([])
    mail = await serve_smtp(mailbox, smtp, faults)
    async with serving(create_practice()) as practice, serving(create_shop(folder / "shop.sqlite", SHOP_KEY)) as shop:
        ours = settings.model_copy(
            update={
                "anthropic_base_url": practice,
                "placet_model": "practice-model",
                "placet_shop_url": shop,
                "placet_shop_key": SHOP_KEY,
                "smtp_url": f"smtp://127.0.0.1:{smtp.getsockname()[1]}",
                "mail_from": "service@maison-colibri.example",
            }
        )
        house = make_house(ours, databases["worker"])
        headers = {"Authorization": f"Bearer {SHOP_KEY}"}
        async with (  # all of it is plain http; reading the machine's certificates would take longer than most tests
            httpx2.AsyncClient(base_url=shop, headers=headers, verify=False) as to_shop,
            httpx2.AsyncClient(base_url=practice, verify=False) as to_practice,
        ):
            yield World(
                house, databases["web"], databases["worker"], mailbox, faults, to_shop, to_practice, databases["owner"]
            )
        await house.model.close()
    mail.close()
    await mail.wait_closed()
