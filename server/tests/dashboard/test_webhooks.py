"""Webhooks in the browser: made, failing, mended, replayed, turned off and on again."""

import json
import re
from urllib.parse import urlsplit

import pytest
from dashboard.checks import examine
from dashboard.conftest import NewPage, signed_in
from dashboard.entrance import entry
from dashboard.moving import go
from dashboard.vendor import Workspace
from dashboard.watching import expecting
from patience import eventually
from playwright.sync_api import Locator, Page, expect
from standardwebhooks import Webhook
from webhooks.receiver import Receiver, Reply, Request


def row(page: Page, kind: str) -> Locator:
    """The newest delivery of a kind."""
    return page.get_by_role("table", name="Deliveries").get_by_role("row", name=kind).first


def press(page: Page, name: str) -> None:
    page.get_by_role("button", name=name, exact=True).click()


def confirm(page: Page, action: str) -> None:
    page.get_by_role("dialog").get_by_role("button", name=action, exact=True).click()


def told(page: Page, sentence: str) -> None:
    expect(page.get_by_text(sentence)).to_be_visible()


def verified(request: Request, secret: str) -> dict[str, object]:
    """The event, whose signature the receiver's library accepts."""
    return dict(Webhook(secret).verify(request.body, request.headers))


def make_in_the_page(page: Page, url: str) -> str:
    """Answers the secret that is shown this once."""
    go(page, "/settings/webhooks")
    page.get_by_role("link", name="New webhook").first.click()
    page.get_by_label("Endpoint URL").fill(url)
    page.get_by_label("Description").fill("The shop's back office")
    page.get_by_label("Selected events").check()
    page.get_by_label("Balance used up").check()
    press(page, "Create webhook")
    dialog = page.get_by_role("dialog", name="Webhook created")
    secret = dialog.get_by_role("region", name="Signing secret").inner_text()
    expect(dialog.get_by_role("button", name="Copy signing secret")).to_be_focused()
    dialog.get_by_text("Show the receiver").click()
    expect(dialog.get_by_role("region", name="Python receiver")).to_contain_text(secret)
    press(page, "I've saved it")
    expect(page.get_by_role("heading", name="The shop's back office")).to_be_visible()
    return secret


def test_a_failing_webhook_is_mended_and_its_event_replayed(
    owner_page: Page, workspace: Workspace, receiver: Receiver
) -> None:
    page = owner_page
    secret = make_in_the_page(page, receiver.url)
    page.reload()
    expect(page.get_by_text("No deliveries yet")).to_be_visible()
    assert secret not in page.content(), "it was shown once"

    workspace.issue("Trial", licenseName="Arrives at once")
    expect(row(page, "License issued")).to_contain_text("Delivered")
    expect(row(page, "License issued")).to_contain_text("Arrives at once")
    expect(row(page, "License issued")).not_to_contain_text("of 10")
    [first] = receiver.received
    assert verified(first, secret)["type"] == "license.created"

    receiver.says(Reply(500, b"The disk is full."))
    workspace.issue("Trial", licenseName="Arrives late")
    failing = row(page, "License issued").filter(has_text="Retrying")
    expect(failing).to_contain_text("HTTP 500")
    failing.get_by_role("button").click()
    details = page.get_by_role("dialog", name="License issued")
    expect(details.get_by_text("The receiver responded with 500.")).to_be_visible()
    expect(details.get_by_role("region", name="Start of the response body")).to_have_text(
        "The disk is full."
    )
    about = details.get_by_role("link", name=re.compile("Arrives late"))
    expect(about).to_have_attribute("href", re.compile("^/licenses/"))
    payload = json.loads(details.get_by_role("region", name="Payload").inner_text())
    assert payload["data"]["licenseName"] == "Arrives late"
    expect(details.get_by_role("button", name="Replay")).to_be_disabled()
    press(page, "Close")

    # What waits is given up with the webhook, so that nothing but the replay brings it.
    page.get_by_role("tab", name="Settings").click()
    press(page, "Disable webhook")
    confirm(page, "Disable webhook")
    expect(page.get_by_text("It was disabled manually.")).to_be_visible()
    receiver.says(200)
    press(page, "Enable webhook")
    expect(page.get_by_text("This webhook has been disabled")).to_be_hidden()
    page.get_by_role("tab", name="Deliveries").click()
    press(page, "Failed")
    expect(page).to_have_url(re.compile(r"\?status=Failed$"))
    expect(page.get_by_role("table", name="Deliveries").get_by_role("row")).to_have_count(2)
    row(page, "License issued").get_by_role("button").click()
    confirm(page, "Replay")
    told(page, "replayed")
    press(page, "All")
    expect(row(page, "License issued")).to_contain_text("Delivered")
    late = [item for item in receiver.received if item.id != first.id]
    assert len({item.id for item in late}) == 1, "a replay is the same event"
    event = verified(late[-1], secret)
    assert event["data"]["licenseName"] == "Arrives late"  # type: ignore[index]


def test_a_receiver_that_wants_no_more_turns_it_off_until_it_is_enabled_again(
    owner_page: Page, workspace: Workspace, receiver: Receiver
) -> None:
    page = owner_page
    # Nothing of the kind has happened that would still be delivered, and turn it off at once.
    webhook = workspace.webhook(receiver.url, "member.removed", description="Chat")
    receiver.says(410)
    go(page, f"/webhooks/{webhook['id']}")
    press(page, "Send test event")
    expect(row(page, "Webhook tested")).to_contain_text("HTTP 410")
    expect(page.get_by_text("The receiver responded 410 Gone")).to_be_visible()
    expect(page.get_by_role("button", name="Send test event")).to_be_hidden()
    page.get_by_role("link", name="Webhooks", exact=True).click()
    expect(page).to_have_url(re.compile(r"/settings/webhooks$"))
    expect(page.get_by_role("row", name="Chat")).to_contain_text("Disabled")
    examine(page, "webhooks-list")

    page.get_by_role("link", name="Chat").click()
    examine(page, "webhook-disabled")
    receiver.says(200)
    press(page, "Enable webhook")
    press(page, "Send test event")
    expect(row(page, "Webhook tested")).to_contain_text("Delivered")
    row(page, "Webhook tested").get_by_role("button").click()
    expect(page.get_by_role("region", name="Payload")).to_contain_text("webhook.test")
    examine(page, "webhook-delivery")


def test_an_address_that_is_refused_says_so_at_its_field(owner_page: Page) -> None:
    page = owner_page
    go(page, "/webhooks/new")
    address = page.get_by_label("Endpoint URL")
    address.fill("ftp://shop.example.com/licet")
    address.blur()
    expect(address).to_have_accessible_description("Must begin with https://.")
    tunnel = page.get_by_text("To try a receiver on your computer")
    expect(tunnel).to_be_hidden()
    address.fill("http://localhost:9000")
    expect(tunnel).to_be_visible()
    # Only the server knows whether it was set up to send there.
    with expecting(page, 400, path="/api/webhooks"):
        address.fill("https://shop.example.com:99999/licet")
        press(page, "Create webhook")
        expect(address).to_have_attribute("aria-invalid", "true")
    page.get_by_label("Selected events").check()
    page.get_by_role("checkbox", name="Licenses license.*").uncheck()
    examine(page, "webhook-new")
    address.fill("https://shop.example.com/licet")
    with expecting(page, 400, path="/api/webhooks"):
        press(page, "Create webhook")
        expect(page.get_by_text("Select at least one event.")).to_be_visible()
    page.get_by_role("link", name="Cancel").click()
    confirm(page, "Discard changes")
    expect(page.get_by_role("heading", name="Webhooks")).to_be_visible()
    expect(page).to_have_url(re.compile(r"/settings/webhooks$"))


def test_the_kinds_are_changed_the_secret_rotated_and_the_webhook_deleted(
    owner_page: Page, workspace: Workspace, receiver: Receiver
) -> None:
    page = owner_page
    webhook = workspace.webhook(receiver.url, "license.*", description="Bookkeeping")
    go(page, f"/webhooks/{webhook['id']}/settings")
    page.get_by_label("License issued").uncheck()
    page.get_by_role("checkbox", name=re.compile("^Releases")).check()
    examine(page, "webhook-settings")
    press(page, "Save")
    told(page, "Webhook saved.")
    stored = workspace.ok("GET", f"/api/webhooks/{webhook['id']}")["eventTypes"]
    assert "release.*" in stored
    assert "license.renewed" in stored
    assert not {"license.*", "license.created"} & set(stored)

    press(page, "Rotate secret")
    confirm(page, "Rotate secret")
    dialog = page.get_by_role("dialog", name="New signing secret")
    secret = dialog.get_by_role("region", name="Signing secret").inner_text()
    examine(page, "webhook-secret")
    press(page, "I've saved it")
    press(page, "Send test event")
    eventually(lambda: receiver.received, "the test event arrives")
    told(page, f"{urlsplit(receiver.url).netloc} accepted the test event.")
    for known in (webhook["secret"], secret):
        assert verified(receiver.received[0], known)["type"] == "webhook.test"

    press(page, "Delete webhook")
    confirm(page, "Delete webhook")
    told(page, "Webhook deleted.")
    expect(page.get_by_role("heading", name="Webhooks", exact=True)).to_be_visible()
    expect(page.get_by_text("Bookkeeping")).to_be_hidden()


@pytest.mark.parametrize("role", ["Viewer", pytest.param("Member", marks=pytest.mark.long)])
def test_who_may_not_manage_sees_no_webhooks(
    new_page: NewPage, workspace: Workspace, receiver: Receiver, role: str
) -> None:
    webhook = workspace.webhook(receiver.url, description="Not for everybody")
    page = signed_in(new_page(), workspace.member(role).email)
    go(page, "/webhooks")
    expect(page.get_by_text("Only Owners and Admins can manage webhooks")).to_be_visible()
    expect(entry(page, "Licenses")).to_be_visible()
    expect(entry(page, "Settings")).to_be_hidden()
    for address in ("/webhooks/new", f"/webhooks/{webhook['id']}"):
        go(page, address)
        expect(page.get_by_text("Only Owners and Admins can manage webhooks")).to_be_visible()
    expect(page.get_by_text("Not for everybody")).to_be_hidden()
    examine(page, f"webhooks-{role.lower()}")


def test_a_webhook_that_is_gone_says_so(owner_page: Page) -> None:
    page = owner_page
    with expecting(page, 404, path="/api/webhooks/"):
        go(page, "/webhooks/00000000-0000-7000-8000-000000000000")
        expect(page.get_by_role("alert")).to_contain_text("Request")
    examine(page, "webhook-gone")
