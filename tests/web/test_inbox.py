"""The inbox: what waits for whom."""


async def test_a_manager_sees_what_waits_with_its_reason(browse, camille, nadia):
    pending = await camille.asks("refund_order")
    async with browse(nadia) as browser:
        page = (await browser.get("/inbox")).text
    assert f'href="/requests/{pending.id}"' in page
    assert "Refund €24.90 on order MC-1042" in page
    assert "The cup arrived broken." in page


async def test_an_admin_sees_it_too_and_a_member_does_not(browse, camille, omar, lea):
    pending = await camille.asks()
    async with browse(omar) as his, browse(lea) as hers:
        assert str(pending.id) in (await his.get("/inbox")).text
        assert str(pending.id) not in (await hers.get("/inbox")).text


async def test_nothing_of_it_reaches_another_company(browse, camille, rita):
    pending = await camille.asks()
    async with browse(rita) as browser:
        page = (await browser.get("/inbox")).text
    assert str(pending.id) not in page and "Camille" not in page


async def test_an_effect_nobody_knows_about_is_a_question(browse, camille, nadia):
    pending = await camille.does_not_know()
    async with browse(nadia) as browser:
        page = (await browser.get("/inbox")).text
    assert f'action="/calls/{pending.call_id}/settle"' in page and 'value="do_it"' in page


async def test_what_was_done_without_asking_is_listed(browse, camille, nadia):
    await camille.asks()
    async with browse(nadia) as browser:
        page = (await browser.get("/inbox")).text
    assert "Read the customer’s mail, look up order MC-1042" in page


async def test_it_speaks_french_to_a_french_browser(browse, nadia):
    async with browse(nadia) as browser:
        page = (await browser.get("/inbox", headers={"Accept-Language": "fr-CA, en;q=0.8"})).text
    assert '<html lang="fr">' in page
