"""Emails to customers: turned on, written with a preview, tried, and sent."""

from dashboard.checks import examine
from dashboard.issuing import begin, issue, issued_to, summary
from dashboard.license_page import confirm, do
from dashboard.moving import go
from dashboard.vendor import Workspace
from dashboard.watching import expecting
from patience import eventually
from playwright.sync_api import Page, expect

PREVIEW = "/mail-templates/issued/preview"


def test_a_text_is_written_next_to_its_preview(owner_page: Page, workspace: Workspace) -> None:
    page = owner_page
    go(page, f"/products/{workspace.product}/emails")
    issued = page.get_by_role("region", name="License issued")
    expect(issued).to_contain_text("Built-in text: English, German")
    issued.get_by_role("switch", name="Sent automatically").click()
    expect(page.get_by_text("License issued: sent automatically.")).to_be_visible()
    page.get_by_role("button", name="Edit License issued").click()
    preview = page.get_by_role("region", name="Preview")
    expect(preview).to_contain_text(f"Your license for {workspace.name}")
    page.get_by_label("Sender").fill("Northwind")
    page.get_by_label("Subject").fill("Welcome, {customer}")
    with expecting(page, 400, path=PREVIEW):
        page.get_by_role("textbox", name="Text", exact=True).fill("Your key: `{licenceKey}`")
        expect(page.get_by_role("alert").first).to_contain_text("{licenseKey}")
    page.get_by_role("textbox", name="Text", exact=True).fill("Your key: `{licenseKey}` <b>now</b>")
    expect(preview).to_contain_text("Welcome, Jane Doe")
    expect(preview).to_contain_text("From Northwind")
    text = page.frame_locator("iframe").locator("body")
    expect(text).to_contain_text("<b>now</b>")
    page.get_by_role("button", name="Placeholders").click()
    examine(page, "email-editor")
    page.get_by_role("button", name="Send test to me").press("Enter")
    expect(page.get_by_text("Test email sent to your address.")).to_be_visible()
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_text("License issued: text saved.")).to_be_visible()
    language = page.get_by_label("Language")
    expect(language).to_be_enabled()
    language.fill("de")
    language.press("Enter")
    page.get_by_label("Subject").fill("Willkommen, {customer}")
    page.get_by_role("textbox", name="Text", exact=True).fill("Ihr Schlüssel: `{licenseKey}`")
    page.get_by_role("button", name="Save").click()
    expect(language).to_be_enabled()
    page.get_by_role("button", name="Back to all emails").click()
    expect(issued).to_contain_text("Own text: German, English")
    path = f"/api/products/{workspace.product}/mail-templates/issued"
    stored = workspace.ok("GET", path)
    assert (stored["automatic"], stored["senderName"]) == (True, "Northwind")
    assert stored["translations"]["en"]["subject"] == "Welcome, {customer}"
    page.get_by_role("button", name="Reset License issued").click()
    examine(page, "email-reset")
    page.get_by_role("button", name="Reset email").click()
    expect(issued).to_contain_text("Built-in text: English, German")
    expect(issued.get_by_role("button", name="Reset License issued")).to_have_count(0)
    assert workspace.ok("GET", path)["translations"] == {}


def test_a_license_is_mailed_when_it_is_issued(owner_page: Page, workspace: Workspace) -> None:
    page = owner_page
    begin(page, workspace, "Perpetual")
    asked = page.get_by_role("checkbox", name="Send the license to this address by email")
    expect(asked).to_be_disabled()
    issued_to(page).fill("ada@example.com")
    asked.check()
    expect(summary(page)).to_contain_text("delivered to ada@example.com.")
    expect(summary(page)).to_contain_text("Sent when the license is issued")
    issue(page)
    [issued] = workspace.ok("GET", f"/api/licenses?productId={workspace.product}")["items"]
    path = f"/api/license-mails?licenseId={issued['id']}"
    [sent] = eventually(lambda: workspace.ok("GET", path)["items"], "an email is written")
    assert (sent["kind"], sent["recipient"]) == ("Issued", "ada@example.com")


def test_a_license_is_sent(owner_page: Page, workspace: Workspace) -> None:
    page = owner_page
    license_ = workspace.issue("Perpetual", issuedTo="ada@example.com")
    go(page, f"/licenses/{license_['id']}")
    dialog = do(page, "Send by email")
    examine(page, "send-license")
    confirm(dialog, "Send by email")
    expect(page.get_by_text("Email to ada@example.com written.")).to_be_visible()
    [sent] = workspace.ok("GET", f"/api/license-mails?licenseId={license_['id']}")["items"]
    assert sent["recipient"] == "ada@example.com"
