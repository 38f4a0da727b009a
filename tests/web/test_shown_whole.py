"""Case 17: every argument of a request can be seen in full, and what cannot be shown cannot be approved."""

from sqlalchemy import select, update

from app.approvals.models import Approval, ApprovalStatus
from app.content.models import Content
from tests.web.conftest import hidden_fields

MARKS = [f"sentence number {number} of the mail." for number in range(400)]  # about 14,000 characters


async def test_every_argument_is_shown_whole(browse, camille, nadia):
    reply = {
        "to": "claire@example.org",
        "subject": "S" * 900 + " end",
        "body": "\n".join(MARKS),
        "in_reply_to": "<a@b>",
    }
    pending = await camille.asks(arguments=reply)
    async with browse(nadia) as browser:
        page = (await browser.get(f"/requests/{pending.id}")).text
    assert [mark for mark in MARKS if mark not in page] == []
    assert reply["subject"] in page and reply["to"] in page


async def test_what_cannot_be_read_cannot_be_approved(browse, camille, nadia, owner, people):
    pending, other = await camille.asks(), await camille.asks("refund_order")
    async with owner.tenant(people.company) as session:
        content = await session.scalar(select(Approval.arguments_id).where(Approval.id == pending.id))
        await session.execute(update(Content).where(Content.id == content).values(sealed=b"spoiled"))
    async with browse(nadia) as browser:
        page = (await browser.get(f"/requests/{other.id}")).text
        form = {**hidden_fields(page, f"/requests/{other.id}/answer"), "verdict": "approve"}
        assert (await browser.post(f"/requests/{pending.id}/answer", data=form)).status_code >= 400
    async with owner.tenant(people.company) as session:
        assert await session.scalar(select(Approval.status).where(Approval.id == pending.id)) is ApprovalStatus.PENDING
