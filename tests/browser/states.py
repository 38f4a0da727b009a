"""Which pages are there, and in which states do people meet them?"""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from uuid import UUID

from playwright.async_api import Page
from sqlalchemy import update

from app.approvals.always import Width
from app.approvals.answer import Answer, Verdict, answer
from app.database.transaction import Database
from app.employees.hire import hire
from app.employees.models import Agent
from app.employees.trial import end_trial
from app.ids import new_id
from app.tool_servers.add import refresh
from app.tool_servers.queries import servers
from app.tool_servers.review import review
from tests.factories import REPLY, House
from tests.people import Cast
from tests.tool_servers.conftest import search_customers, send_newsletter
from tests.tool_servers.servers import added, running

Then = Callable[[Page], Awaitable[None]]


@dataclass(frozen=True)
class State:
    """A page as one of the cast meets it; `then` brings it into its state."""

    name: str
    who: str
    path: str
    then: Then | None = None

    async def enter(self, page: Page, places: dict[str, UUID]) -> None:
        """Go there, and do what leads to it."""
        await page.goto(self.path.format_map(places))
        if self.then is not None:
            await self.then(page)


async def scene(people: Cast, camille: House, web: Database) -> dict[str, UUID]:
    """Something of everything: what waits, what is answered in each way, what nobody knows."""
    mail, refund = await camille.asks(), await camille.asks("refund_order")
    changed, rejected = await camille.asks("refund_order"), await camille.asks()
    await camille.does_not_know()
    answers = (
        (changed.id, Answer(Verdict.APPROVE, "", {"amount": "12.50", "reason": "One cup"})),
        (rejected.id, Answer(Verdict.REJECT, "Too long, two sentences are enough")),
    )
    async with web.tenant(people.company) as session:
        for request, given in answers:
            await answer(session, request, given, by=people.nadia.member, operation=new_id())
        await session.execute(update(Agent).values(trial_ends_at=datetime.now(UTC) - timedelta(days=1)))
    basile = await _past_trial(people, camille, web)
    always = await basile.asks(outside=False)
    granted = await basile.asks(arguments=REPLY, outside=False)  # REPLY as it is here: it can be sent
    async with web.tenant(people.company) as session:
        given = Answer(Verdict.APPROVE, always=Width.NARROW)
        await answer(session, granted.id, given, by=people.omar.member, operation=new_id())
    return {
        "always": always.id,
        "granted": granted.conversation_id,
        "basile": basile.agent_id,
        "mail": mail.id,
        "refund": refund.id,
        "changed": changed.id,
        "rejected": rejected.id,
        "task": mail.run_id,
        "conversation": mail.conversation_id,
        "camille": people.camille,
        "robin": people.ritas_employee,
        "service": await _service(people, web),
    }


async def _service(people: Cast, web: Database) -> UUID:
    """A service of which one ability changed since it was looked at, and another was never looked at."""
    omar = people.omar
    async with running(search_customers) as server:
        added_id = await added(web, server, omar)
        async with web.tenant(people.company) as session:
            (seen,) = await servers(session)
            await review(session, added_id, {tool.id: tool.mark for tool in seen.tools}, by=omar.member)
        server.again(send_newsletter, name="search_customers", description="Searches, and tells its maker.")
        server.sdk.add_tool(send_newsletter)
        await refresh(web, server.http, added_id, by=omar.member, operation=new_id())
    return added_id


async def _past_trial(people: Cast, camille: House, web: Database) -> House:
    """A colleague of Camille's whom omar alone decides for, and whose trial has ended."""
    async with web.tenant(people.company) as session:
        managers = [people.omar.user_id]
        hired = await hire(session, "customer_service", name="Basile", by=None, managers=managers, language="en")
        await end_trial(session, hired.id, by=people.omar.member)
    return House(camille.worker, camille.settings, people.company, hired.id)


async def _menu(page: Page) -> None:
    await page.locator(".menu summary").click()


async def _keys(page: Page) -> None:
    await page.keyboard.press("?")


async def _wrong_password(page: Page) -> None:
    await page.locator("#email").fill("nadia@example.org")
    await page.locator("#password").fill("not this one")
    await page.locator("#password").press("Enter")
    await page.locator(".notice--bad").wait_for()


async def _wrong_amount(page: Page) -> None:
    await page.locator("a[href='#change']").click()
    await page.locator("[name='change.amount']").fill("-1")
    await page.locator("button[value=change]").click()
    await page.locator(".field__error").wait_for()


async def _wrong_entry(page: Page) -> None:
    await page.locator("#shop_url").fill("my shop")
    await page.locator("#shop_key").fill("short")
    await page.locator("main form button").click()
    await page.locator(".field__error").first.wait_for()


async def _entered(page: Page) -> None:
    await page.locator("#shop_url").fill("https://shop.example")
    await page.locator("#shop_key").fill("a key of the shop in tests")
    await page.locator("main form button").click()
    await page.locator("form[action$='/try']").wait_for()


async def _service_away(page: Page) -> None:
    await page.locator("#name").fill("books")
    await page.locator("#address").fill("https://10.1.2.3/mcp")
    await page.locator("main form button").click()
    await page.locator("#address-error").wait_for()


async def _unfolded(page: Page) -> None:
    for summary in await page.locator("main summary:visible").all():
        if not await summary.evaluate("it => it.parentElement.open"):
            await summary.click()


async def _empty_task(page: Page) -> None:
    await page.locator("textarea[name=text]").evaluate("it => it.required = false")
    await page.locator("form[action$='/tasks'] button").click()
    await page.locator(".field__error").wait_for()


async def _no_day(page: Page) -> None:
    await page.locator("#last_day").fill("")
    await page.locator("form[action$='/extend'] button").click()
    await page.locator(".field__error").wait_for()


async def _nobody_manages(page: Page) -> None:
    await page.locator("input[name=managers]:checked").uncheck()
    await _look(page)
    await page.locator("#managers-error").wait_for()


async def _look(page: Page) -> None:
    await page.locator("#name").fill("Ada")
    await page.locator("button[value=look]").click()


async def _paused(page: Page) -> None:
    if await page.locator("form[action$='/pause']").count():
        await page.locator("form[action$='/pause'] button").first.click()
    await page.locator("form[action$='/resume']").first.wait_for()


async def _paused_request(page: Page) -> None:
    await _paused(page)
    await page.goto("/inbox")
    await page.locator(".card h3 a").first.click()
    await page.locator(".notice--wait:visible").wait_for()


async def _unfinished_rows(page: Page) -> None:
    for sort in ("ceilings", "exceptions"):
        await page.locator(f"[value='add.{sort}']").click()
        await page.locator(f"[name='{sort}.0.id']").wait_for(state="attached")
    await page.locator("[value=dry_run]").click()
    await page.locator(".field__error").first.wait_for()


async def _tried(page: Page) -> None:
    await page.locator("[value=dry_run]").click()
    await page.locator(".chart").wait_for()


STATES = (
    State("sign-in", "nobody", "/sign-in"),
    State("wrong-password", "nobody", "/sign-in", _wrong_password),
    State("inbox", "nadia", "/inbox"),
    State("menu", "nadia", "/inbox", _menu),
    State("keys", "nadia", "/inbox", _keys),
    State("mail", "nadia", "/requests/{mail}", _unfolded),
    State("refund", "nadia", "/requests/{refund}"),
    State("change", "nadia", "/requests/{mail}#change"),
    State("wrong-amount", "nadia", "/requests/{refund}", _wrong_amount),
    State("reject", "nadia", "/requests/{mail}#reject"),
    State("changed", "nadia", "/requests/{changed}"),
    State("rejected", "nadia", "/requests/{rejected}"),
    State("task", "nadia", "/tasks/{task}", _unfolded),
    State("conversation", "nadia", "/conversations/{conversation}"),
    State("employees", "nadia", "/employees"),
    State("employee", "nadia", "/employees/{camille}"),
    State("empty-task", "nadia", "/employees/{camille}", _empty_task),
    State("job-sheet", "nadia", "/employees/{camille}/job-sheet"),
    State("job-sheet-edit", "nadia", "/employees/{camille}/job-sheet/edit", _unfolded),
    State("job-sheet-unfinished", "nadia", "/employees/{camille}/job-sheet/edit", _unfinished_rows),
    State("job-sheet-tried", "nadia", "/employees/{camille}/job-sheet/edit", _tried),
    State("job-sheet-history", "nadia", "/employees/{camille}/job-sheet/history"),
    State("may-it", "lea", "/employees/{camille}/may?about=cancel+an+order"),
    State("journal", "nadia", "/journal"),
    State("settings", "nadia", "/settings"),
    State("abilities", "nadia", "/abilities"),
    State("connections", "omar", "/connections"),
    State("limits", "omar", "/limits"),
    State("connection", "omar", "/connections/shop", _wrong_entry),
    State("connection-entered", "omar", "/connections/shop", _entered),
    State("connection-removal", "omar", "/connections/shop/remove"),
    State("services", "omar", "/services"),
    State("service", "omar", "/services/{service}", _unfolded),
    State("service-removal", "omar", "/services/{service}/remove"),
    State("service-not-added", "omar", "/services/add", _service_away),
    State("not-found", "nadia", "/requests/nothing"),
    State("not-yours", "lea", "/requests/{mail}"),
    State("member-inbox", "lea", "/inbox"),
    State("empty-inbox", "rita", "/inbox"),
    State("empty-employee", "rita", "/employees/{robin}"),
    State("empty-journal", "nadia", "/journal?event=employee.dismissed"),
    State("trial", "nadia", "/employees/{camille}/trial"),
    State("trial-without-a-day", "nadia", "/employees/{camille}/trial", _no_day),
    State("always", "omar", "/requests/{always}", _unfolded),
    State("granted", "omar", "/conversations/{granted}"),
    State("grants-of-employee", "omar", "/employees/{basile}"),
    State("trial-ended", "omar", "/employees/{basile}/trial"),
    State("hire", "omar", "/employees/hire"),
    State("hire-details", "omar", "/employees/hire?template=catalogue"),
    State("hire-without-a-manager", "omar", "/employees/hire?template=catalogue", _nobody_manages),
    State("hire-last-look", "omar", "/employees/hire?template=catalogue", _look),
    State("first-steps", "rita", "/employees/{robin}?sample=0"),
    State("paused", "nadia", "/employees/{camille}", _paused),
    State("paused-request", "nadia", "/employees/{camille}", _paused_request),
)
