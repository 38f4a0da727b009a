"""A manager writes a job sheet: sees what it would mean, saves it, and nothing typed is ever lost."""

import re
import time
from html import unescape

import pytest

from app.web.tell.sheet_changes import compared
from tests.scripted import mail, words
from tests.sheets import exception, past_trial
from tests.web.conftest import hidden_fields


def filled(page: str) -> dict[str, str | list[str]]:
    """The form of the editor as a browser would send it, without a button."""
    form = re.search(r'<form[^>]*id="sheet".*?</form>', page, re.DOTALL)
    assert form is not None
    found: dict[str, str | list[str]] = {}
    found.update(hidden_fields(page, re.search(r'id="sheet"[^>]*action="([^"]*)"', page)[1]))
    for name, text in re.findall(r'<textarea[^>]*name="([^"]+)"[^>]*>\n?(.*?)</textarea>', form[0], re.DOTALL):
        found[name] = unescape(text)
    for name, options in re.findall(r'<select[^>]*name="([^"]+)"[^>]*>(.*?)</select>', form[0], re.DOTALL):
        chosen = re.search(r'value="([^"]*)"[^>]* selected', options) or re.search(r'value="([^"]*)"', options)
        found[name] = chosen[1] if chosen else ""
    for name, value in re.findall(r'<input id="[^"]*" name="([^"]+)" value="([^"]*)"', form[0]):
        found[name] = unescape(value)
    for name, value in re.findall(r'<input type="checkbox" name="([^"]+)" value="([^"]*)" checked', form[0]):
        kept = found.setdefault(name, [])
        assert isinstance(kept, list)
        kept.append(value)
    return found


@pytest.fixture
def url(people):
    return f"/employees/{people.camille}/job-sheet"


async def opened(browser, url: str) -> dict[str, str | list[str]]:
    answer = await browser.get(f"{url}/edit")
    assert answer.status_code == 200, answer.text[:300]
    return filled(answer.text)


async def sent(browser, url: str, form, do: str, **changed):
    return await browser.post(f"{url}/edit", data={**form, **changed, "do": do})


async def test_saving_makes_the_next_version_and_the_history_shows_the_difference(browse, url, nadia):
    async with browse(nadia) as browser:
        form = await opened(browser, url)
        answer = await sent(browser, url, form, "save", mission="Answers patients.", **{"tools.send_reply": "never"})
        assert answer.status_code == 303
        page = (await browser.get(url)).text
        told = (await browser.get(f"{url}/history")).text
    assert "Answers patients." in page and "Version 2" in page
    assert "<ins>Answers patients" in told or "<ins>patients" in told
    assert "counts now" in told and "Send a mail" in told and "The first version" in told


async def test_saving_nothing_different_saves_nothing(browse, url, nadia):
    async with browse(nadia) as browser:
        await sent(browser, url, await opened(browser, url), "save")
        assert "Version 2" not in (await browser.get(f"{url}/history")).text


async def test_the_preview_says_what_would_change_and_saves_nothing(browse, url, nadia):
    async with browse(nadia) as browser:
        form = await opened(browser, url)
        page = (await sent(browser, url, form, "preview", **{"tools.send_reply": "never"})).text
        part = (await browser.post(f"{url}/preview", data={**form, "tools.send_reply": "never"})).text
        assert "Version 2" not in (await browser.get(f"{url}/history")).text
    assert "asks first, as all that acts outside" in page
    for text in (page, part):
        assert re.search(r"<b>Send a mail</b>.*asks first.*becomes.*cannot do it", text, re.DOTALL)
    assert "<html" not in part and filled(page)["tools.send_reply"] == "never"


async def test_what_does_not_fit_is_said_at_its_field_and_nothing_typed_is_lost(browse, url, nadia):
    async with browse(nadia) as browser:
        form = await opened(browser, url)
        form = filled((await sent(browser, url, form, "add.ceilings", instructions="Be kind & short")).text)
        answer = await sent(browser, url, form, "save", mission="", **{"ceilings.0.limit": "twelve"})
    assert answer.status_code == 422
    again = filled(answer.text)
    assert again["ceilings.0.limit"] == "twelve" and again["instructions"] == "Be kind & short"
    for field in ("mission", "ceilings.0.limit", "ceilings.0.tools"):
        assert f'id="{field}-error"' in answer.text


async def test_the_second_of_two_sees_the_firsts_change_and_keeps_their_own(browse, url, nadia, omar):
    async with browse(nadia) as hers, browse(omar) as his:
        form, late = await opened(hers, url), await opened(his, url)
        await sent(hers, url, form, "save", mission="Nadia wrote this.")
        answer = await sent(his, url, late, "save", mission="Omar wrote this.")
        assert answer.status_code == 409
        assert "Nadia saved another version meanwhile" in answer.text and "Nadia wrote this" in answer.text
        again = filled(answer.text)
        assert again["mission"] == "Omar wrote this." and again["based_on"] == "2"
        assert (await sent(his, url, again, "save")).status_code == 303
        assert "Omar wrote this." in (await hers.get(url)).text


async def test_an_exception_says_what_it_lets_through_and_is_withdrawn_with_one_click(browse, url, nadia, submit):
    async with browse(nadia) as browser:
        form = filled((await sent(browser, url, await opened(browser, url), "add.exceptions")).text)
        own = {"exceptions.0.text": "Mails to the post may leave.", "exceptions.0.tools": "send_reply"}
        page = (await sent(browser, url, form, "preview", **own)).text
        assert "Send a mail: the exception changes nothing. No exception counts during the trial." in page
        assert "After reading a mail it still asks: the employee writes this itself: Text, Subject." in unescape(page)
        conditions = {"exceptions.0.conditions.0.field": "to", "exceptions.0.conditions.0.value": "post@example.org"}
        assert (await sent(browser, url, form, "save", **own, **conditions)).status_code == 303
        page = (await browser.get(url)).text
        assert "Mails to the post may leave." in page and "To is exactly post@example.org" in page
        action = re.search(r'action="(/employees/[^"]*/withdraw)"', page)[1]
        await submit(browser, url, action)
        assert (
            "Mails to the post may leave."
            not in (await browser.get(url)).text.split("History")[1].split("withdrawn")[0]
        )


async def test_a_limit_is_kept_in_words_with_what_is_used_of_it(browse, url, nadia):
    async with browse(nadia) as browser:
        form = filled((await sent(browser, url, await opened(browser, url), "add.ceilings")).text)
        limit = {"tools": "refund_order", "limit": "1 200,50", "counts": "amount", "unit": "EUR", "period": "month"}
        answer = await sent(browser, url, form, "save", **{f"ceilings.0.{name}": one for name, one in limit.items()})
        assert answer.status_code == 303, answer.text
        page = (await browser.get(url)).text
        assert "Refund an order: At most 1200.5 EUR a month. Above it, nothing is done. Used now: 0 EUR." in page
        gone = (await sent(browser, url, await opened(browser, url), "drop.ceilings.0")).text
    assert "No limits are set." in gone


async def test_a_sheet_is_tried_on_the_last_30_days(browse, url, nadia, camille):
    await camille.asks("refund_order")
    async with browse(nadia) as browser:
        form = await opened(browser, url)
        page = (await sent(browser, url, form, "dry_run", **{"tools.refund_order": "never"})).text
    assert re.search(r'Stricter than it was <b class="figure">1</b>', page)
    assert "After another answer the employee might have gone another way." in page


async def test_only_who_decides_changes_and_only_an_admin_sees_the_rule_about_outside(
    browse, url, nadia, omar, lea, rita
):
    async with browse(lea) as member, browse(rita) as foreign, browse(nadia) as manager, browse(omar) as admin:
        assert (await member.get(f"{url}/edit")).status_code == 403
        assert (await foreign.get(f"{url}/edit")).status_code == 404
        form = await opened(manager, url)
        assert "outside" not in form and (await opened(admin, url))["outside"] == "on"
        assert (await sent(manager, url, form, "save", outside="off")).status_code == 403
        assert f'href="{url}/edit"' not in (await member.get(url)).text


async def test_who_may_talk_is_chosen_and_nobody_is_not_everybody(browse, url, nadia, lea):
    async with browse(nadia) as browser:
        form = await opened(browser, url)
        assert (await sent(browser, url, form, "save", who="some")).status_code == 422
        assert (await sent(browser, url, form, "save", who="some", talkers=str(lea.user_id))).status_code == 303
        assert "Léa" in (await browser.get(url)).text


async def test_may_it_answers_and_says_what_it_knows_nothing_about(browse, people, lea):
    async with browse(lea) as browser:
        page = (await browser.get(f"/employees/{people.camille}/may?about=May it cancel an order?")).text
    assert "Nothing in the list is about “cancel”" in page
    assert "Refund an order" in page and "Search the catalogue" not in page


async def test_what_an_exception_let_through_stands_beside_its_sentence(browse, scripted, people, url, nadia, lea):
    sentence = "A greeting may be sent without asking."
    await past_trial(scripted, people, exceptions=(exception(sentence, "send_reply", uses=2),))
    line = mail("Good morning.")
    await scripted.give(people, [{**line, "input": {**line["input"], "_exception": sentence}}], [words()])
    async with browse(nadia) as hers, browse(lea) as member:
        page, other = (await hers.get(url)).text, (await member.get(url)).text
    lately = page.split("What they let through lately")[1].split("</section>")[0]
    assert "Send a mail to" in lately and sentence in lately
    assert "What they let through lately" not in other and "used once today" in page


def test_two_long_texts_are_compared_in_the_time_of_a_page():
    long = " ".join(f"word{number % 90}" for number in range(3000))
    began = time.perf_counter()
    (gone, new) = compared(long, " ".join(reversed(long.split())))
    assert (gone.sort, new.sort) == ("gone", "new") and time.perf_counter() - began < 1
    pieces = [(piece.sort, piece.text) for piece in compared("Be kind. " + long, "Be very kind. " + long)]
    assert ("new", "very ") in pieces and len(dict(pieces)["same"]) < 150
