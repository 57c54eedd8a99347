"""Mail addresses: the panel in the settings, and the page behind the links in letters."""

import asyncio
import queue
import re
import threading
from collections.abc import Iterator
from email.message import EmailMessage
from typing import Any

import pytest
from msgspec.structs import replace
from playwright.sync_api import Page, expect
from tests.page.conftest import SETTINGS, RunningSite
from tests.page.test_accessible import findings, sticks_out
from tests.site.mail.conftest import SmtpServer

pytestmark = pytest.mark.page

PHONE = {"width": 390, "height": 844}


class SiteWithMail(RunningSite):
    """A site that sends its letters to a server of this process."""

    def __init__(self, *parts: Any) -> None:
        super().__init__(*parts)
        self.smtp = SmtpServer()
        self._begun: queue.Queue[asyncio.AbstractEventLoop] = queue.Queue()

    def __enter__(self) -> RunningSite:
        threading.Thread(target=lambda: asyncio.run(self._serve_mail()), daemon=True).start()
        self._mail_loop = self._begun.get()
        self.settings = replace(SETTINGS, mail=self.smtp.settings())
        return super().__enter__()

    def __exit__(self, *parts: object) -> None:
        super().__exit__(*parts)
        self._mail_loop.call_soon_threadsafe(self._ended.set)

    async def _serve_mail(self) -> None:
        self._ended = asyncio.Event()
        async with self.smtp:
            self._begun.put(asyncio.get_running_loop())
            await self._ended.wait()


@pytest.fixture(scope="module")
def site(shelf: Any, pytestconfig: pytest.Config) -> Iterator[SiteWithMail]:
    """A real site that sends mail, in place of the usual one."""
    with SiteWithMail(shelf, pytestconfig.getoption("slow_site"), None) as running:
        yield running


def expect_no_faults(page: Page) -> None:
    assert findings(page) == []
    assert sticks_out(page) == []


def letter(page: Page, site: SiteWithMail, number: int) -> EmailMessage:
    """Wait for a letter."""
    for _ in range(300):
        if len(site.smtp.letters) >= number:
            return site.smtp.letters[number - 1][1]
        page.wait_for_timeout(100)
    pytest.fail("The letter did not come.")


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_an_address_is_confirmed_by_its_link_and_letters_can_be_switched_off(open_page, site, scheme: str) -> None:
    name, number = f"Mia{scheme}", len(site.smtp.letters) + 1
    page = open_page("/settings", viewport=PHONE, color_scheme=scheme)
    account = {"name": name, "password": "correct horse battery"}
    assert page.request.post(f"{site.url}/api/account", data=account).ok
    page.reload()
    panel = page.locator("section.panel", has=page.get_by_role("heading", name="Mail"))
    expect(panel).to_contain_text("Nobody sees the address.")
    expect_no_faults(page)
    panel.get_by_label("Mail address").fill("mia@example.org")
    panel.get_by_role("button", name="Send the link").click()
    expect(panel).to_contain_text("Open the link that was sent to m…@example.org to confirm it.")
    expect_no_faults(page)

    told = letter(page, site, number).get_content()
    (link,) = re.findall(r"https://ludus.example.org(/mail#confirm=[\w-]+)", told)
    page.goto(site.url + link)
    expect(page.get_by_role("heading", name="Confirm your mail address")).to_be_visible()
    expect_no_faults(page)
    page.get_by_role("button", name="Confirm").click()
    expect(page.get_by_role("status").filter(has_text="Your address is confirmed.")).to_be_visible()
    expect_no_faults(page)

    page.get_by_role("main").get_by_role("link", name="Settings").click()
    expect(panel).to_contain_text("Letters go to m…@example.org.")
    switch = panel.get_by_role("switch", name="Letters about your turns")
    expect(switch).to_be_checked()
    switch.click()
    expect(switch).not_to_be_checked()
    expect_no_faults(page)
    page.reload()
    expect(switch).not_to_be_checked()
    panel.get_by_role("button", name="Remove the address").click()
    expect(panel).to_contain_text("Nobody sees the address.")


def test_links_that_stop_letters_or_are_incomplete_say_what_to_do(open_page, site) -> None:
    page = open_page("/mail#stop=unknown", viewport=PHONE)
    expect(page.get_by_role("heading", name="Stop letters")).to_be_visible()
    expect_no_faults(page)
    page.get_by_role("button", name="Stop letters").click()
    expect(page.get_by_role("status").filter(has_text="You get no more letters.")).to_be_visible()
    expect_no_faults(page)
    page.goto(f"{site.url}/mail")
    page.reload()
    expect(page.get_by_text("This link is incomplete. Copy the whole link from the letter.")).to_be_visible()
    expect_no_faults(page)
