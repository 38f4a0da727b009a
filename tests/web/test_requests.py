"""A request: what it shows, and that one answer counts."""

import asyncio
import re

import pytest
from sqlalchemy import select, update
from starlette.datastructures import FormData

from app.approvals.models import Approval
from app.audit.models import Entry
from app.identity.models import Membership, Role
from app.tools.catalogue import TOOLS
from app.web.forms import read_changes
from tests.web.conftest import hidden_fields

ORDER_PAID = "€49.80"


def url(pending) -> str:
    return f"/requests/{pending.id}"


async def test_it_shows_the_effect_before_what_the_employee_says(browse, camille, nadia):
    pending = await camille.asks("refund_order")
    async with browse(nadia) as browser:
        page = (await browser.get(url(pending))).text
    assert page.index("€24.90") < page.index("Camille says")
    assert ORDER_PAID in page and "Claire Dubois" in page


async def test_what_was_read_stands_there_raw_and_inert(browse, camille, nadia):
    pending = await camille.asks()
    async with browse(nadia) as browser:
        page = (await browser.get(url(pending))).text
    assert "The cup arrived broken. &lt;script&gt;alert(1)&lt;/script&gt;" in page
    assert "sender not proven" in page


async def test_approving_leads_to_the_next_one_with_a_line_on_what_happened(browse, camille, nadia, submit):
    first, second = await camille.asks(), await camille.asks("refund_order")
    async with browse(nadia) as browser:
        answer = await submit(browser, url(first), f"{url(first)}/answer", verdict="approve")
        assert (answer.status_code, answer.headers["location"]) == (303, url(second))
        assert "Approved: Send a mail to claire@example.org" in (await browser.get(url(second))).text
        assert "Approved: Send a mail" not in (await browser.get(url(second))).text


async def test_the_last_answer_leads_to_the_inbox(browse, camille, nadia, submit):
    pending = await camille.asks()
    async with browse(nadia) as browser:
        answer = await submit(browser, url(pending), f"{url(pending)}/answer", verdict="reject", word="Too dear")
        assert answer.headers["location"] == "/inbox"
        page = (await browser.get(url(pending))).text
    assert "Rejected" in page and "Too dear" in page


async def test_a_change_is_kept_and_shown_as_a_difference(browse, camille, nadia, submit):
    pending = await camille.asks("refund_order")
    async with browse(nadia) as browser:
        fields = {"change.amount": "12,50", "change.reason": "One cup"}
        answer = await submit(browser, url(pending), f"{url(pending)}/answer", verdict="change", **fields)
        assert answer.status_code == 303
        page = (await browser.get(url(pending))).text
    assert "Approved with changes" in page
    assert re.search(r"<del>.*24\.90.*</del>\s*<ins>.*12\.50", page)


@pytest.mark.parametrize(
    ("amount", "sentence"),
    [("", "Please write an amount, like 24.90."), ("-1", "This must be more than 0."), ("x", "Please write an amount")],
)
async def test_a_change_that_does_not_fit_says_so_at_its_field(browse, camille, nadia, submit, amount, sentence):
    pending = await camille.asks("refund_order")
    async with browse(nadia) as browser:
        fields = {"change.amount": amount, "change.reason": "My words"}
        answer = await submit(browser, url(pending), f"{url(pending)}/answer", verdict="change", **fields)
    assert answer.status_code == 422
    assert sentence in answer.text and "My words" in answer.text


def test_what_a_person_empties_is_gone_and_not_what_the_employee_wrote_there():
    wanted = {"sku": "CUP-BLUE", "description": "A cup.", "name": "The best cup of all"}
    form = FormData([("change.sku", "CUP-BLUE"), ("change.description", "A blue cup."), ("change.name", "")])
    changed = read_changes(TOOLS["update_product"], form, wanted)
    assert wanted | changed == {"sku": "CUP-BLUE", "description": "A blue cup.", "name": ""}


async def test_two_browsers_at_once_end_as_one_answer(browse, camille, nadia, omar, submit, web):
    pending = await camille.asks()
    async with browse(nadia) as hers, browse(omar) as his:
        forms = [hidden_fields((await b.get(url(pending))).text, f"{url(pending)}/answer") for b in (hers, his)]
        replies = await asyncio.gather(
            hers.post(f"{url(pending)}/answer", data={**forms[0], "verdict": "approve"}),
            his.post(f"{url(pending)}/answer", data={**forms[1], "verdict": "reject"}),
        )
    assert sorted(reply.status_code for reply in replies) == [303, 409]
    async with web.tenant(nadia.tenant_id) as session:
        decisions = await session.scalars(select(Entry.event).where(Entry.about == pending.id))
        assert len([event for event in decisions if event in ("approval.approved", "approval.rejected")]) == 1


async def test_who_comes_second_reads_who_decided(browse, camille, nadia, omar, submit):
    pending = await camille.asks()
    async with browse(nadia) as hers, browse(omar) as his:
        form = hidden_fields((await his.get(url(pending))).text, f"{url(pending)}/answer")
        await submit(hers, url(pending), f"{url(pending)}/answer", verdict="approve")
        answer = await his.post(f"{url(pending)}/answer", data={**form, "verdict": "reject"})
    assert answer.status_code == 409
    assert "Somebody answered a moment before you" in answer.text and "by <bdi>Nadia</bdi>" in answer.text


async def test_a_double_click_is_one_answer_and_no_error(browse, camille, nadia):
    pending = await camille.asks()
    async with browse(nadia) as browser:
        form = hidden_fields((await browser.get(url(pending))).text, f"{url(pending)}/answer")
        send = {**form, "verdict": "approve"}
        replies = await asyncio.gather(*[browser.post(f"{url(pending)}/answer", data=send) for _ in range(2)])
    assert [reply.status_code for reply in replies] == [303, 303]


async def test_after_its_deadline_no_answer_counts(browse, camille, nadia, owner):
    pending = await camille.asks()
    async with browse(nadia) as browser:
        form = hidden_fields((await browser.get(url(pending))).text, f"{url(pending)}/answer")
        async with owner.tenant(nadia.tenant_id) as session:
            await session.execute(
                update(Approval).where(Approval.id == pending.id).values(expires_at=Approval.asked_at)
            )
        answer = await browser.post(f"{url(pending)}/answer", data={**form, "verdict": "approve"})
    assert answer.status_code == 409
    assert "Nobody answered in time, so it was refused" in answer.text


async def test_a_paused_employee_s_request_can_be_rejected_only(browse, camille, nadia, submit):
    pending = await camille.asks()
    async with browse(nadia) as browser:
        await submit(browser, url(pending), f"/employees/{camille.agent_id}/pause")
        form = hidden_fields((await browser.get(url(pending))).text, f"{url(pending)}/answer")
        answer = await browser.post(f"{url(pending)}/answer", data={**form, "verdict": "approve"})
        assert answer.status_code == 409
        assert "This can no longer be approved: the employee is paused; let it go on first." in answer.text
        assert (await browser.post(f"{url(pending)}/answer", data={**form, "verdict": "reject"})).status_code == 303


async def test_a_member_may_not_decide_and_reads_who_can(browse, camille, lea):
    pending = await camille.asks()
    async with browse(lea) as browser:
        page = await browser.get(url(pending))
        token = hidden_fields((await browser.get("/inbox")).text, "/sign-out")
        answer = await browser.post(f"{url(pending)}/answer", data={**token, "verdict": "approve"})
    assert page.status_code == answer.status_code == 403
    assert "Nadia" in page.text and "Omar" in page.text


async def test_who_was_demoted_between_page_and_click_decides_nothing(browse, camille, nadia, omar, owner):
    pending = await camille.asks()
    async with browse(nadia) as hers, browse(omar) as his:
        form = hidden_fields((await hers.get(url(pending))).text, f"{url(pending)}/answer")
        async with owner.tenant(nadia.tenant_id) as session:
            role = update(Membership).where(Membership.user_id == nadia.user_id).values(role=Role.MEMBER)
            await session.execute(role)
        answer = await hers.post(f"{url(pending)}/answer", data={**form, "verdict": "approve"})
        assert answer.status_code == 403 and "Omar" in answer.text
        assert str(pending.id) in (await his.get("/inbox")).text


async def test_another_company_finds_nothing_as_if_nothing_were_there(browse, camille, rita):
    pending = await camille.asks()
    async with browse(rita) as browser:
        foreign = await browser.get(url(pending))
        missing = await browser.get("/requests/0193b6a0-0000-7000-8000-000000000000")
        no_id = await browser.get("/requests/nothing")
        token = hidden_fields((await browser.get("/inbox")).text, "/sign-out")
        posted = await browser.post(f"{url(pending)}/answer", data={**token, "verdict": "approve"})
    assert foreign.status_code == missing.status_code == posted.status_code == 404
    assert foreign.content == missing.content == no_id.content == posted.content
