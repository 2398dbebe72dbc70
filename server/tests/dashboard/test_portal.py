"""The portal: end users see what they bought, and manage it themselves."""

import io
import re
from datetime import timedelta
from pathlib import Path

from dashboard.checks import examine
from dashboard.conftest import NewPage, signed_in
from dashboard.moving import go
from dashboard.steady_day import SteadyDay
from dashboard.vendor import Workspace, in_days
from dashboard.watching import expecting
from e2e.process import PASSWORD
from PIL import Image
from playwright.sync_api import Page, expect

ADA, BEA, CLEO, DORA, EVE, FAY = (
    f"{name}@customers.example.com" for name in ("ada", "bea", "cleo", "dora", "eve", "fay")
)

RENEW = "https://shop.example/renew"


def sell(workspace: Workspace, customer: str) -> None:
    for model in ("Concurrent", "MeteredToken", "Trial"):
        workspace.licenses[model] = workspace.issue(
            model, issuedTo=customer, licenseName=f"Her {model}", metadata={"renewUrl": RENEW}
        )
    workspace.activate(workspace.licenses["Concurrent"], "Lost laptop", os="Debian 13")
    workspace.ok("PUT", workspace.path, {"settings": {"deviceReleasesPerYear": 1}})


def open_license(page: Page, name: str) -> None:
    go(page, "/portal")
    page.get_by_role("list", name="Licenses").get_by_role("link", name=re.compile(name)).click()


def test_a_customer_comes_in_by_mail_and_frees_a_lost_device(
    page: Page, workspace: Workspace
) -> None:
    sell(workspace, ADA)
    go(page, "/portal")
    expect(page).to_have_url(re.compile(r"/portal/access$"))
    examine(page, "portal-access")
    page.get_by_label("Email address").fill(ADA)
    page.get_by_role("button", name="Send link").click()
    expect(page.get_by_role("heading", name="Check your email")).to_be_visible()
    page.goto(f"/portal/welcome?token={workspace.mailed_token(ADA)}")
    expect(page).to_have_url(re.compile(r"/portal/welcome$"))
    examine(page, "portal-welcome")
    page.get_by_label("Full name").fill("Ada Customer")
    page.get_by_label("Password", exact=False).first.fill(PASSWORD)
    page.get_by_role("button", name="Show my licenses").click()
    expect(page.get_by_role("heading", name="My licenses")).to_be_visible()
    examine(page, "portal-licenses")
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.get_by_role("button", name="Copy key of Her Concurrent").click()
    copied = page.evaluate("navigator.clipboard.readText()")
    assert copied == workspace.licenses["Concurrent"]["licenseKey"]

    open_license(page, "Her Concurrent")
    devices = page.get_by_role("region", name="Devices")
    expect(devices).to_contain_text("You can free 1 more seat this year.")
    # Support asks for it; a customer has no use for it.
    expect(devices.get_by_role("button", name="Copy hardware ID")).to_be_hidden()
    devices.get_by_text(re.compile("Hardware ID .{5}$")).first.click()
    expect(devices.get_by_role("button", name="Copy hardware ID")).to_be_visible()
    examine(page, "portal-license")
    devices.get_by_role("button", name="Free seat of Lost laptop").click()
    page.get_by_role("dialog").get_by_role("button", name="Free seat").click()
    expect(devices.get_by_text("No devices yet")).to_be_visible()
    expect(devices).to_contain_text("You can free 0 more seats this year.")
    assert workspace.activate(workspace.licenses["Concurrent"], "New laptop")["seatsUsed"] == 1

    page.reload()
    devices.get_by_role("button", name="Free seat of New laptop").click()
    with expecting(page, 409):
        page.get_by_role("dialog").get_by_role("button", name="Free seat").click()
        expect(page.get_by_role("dialog").get_by_role("alert")).to_contain_text("Request ")
    page.get_by_role("button", name="Cancel").click()
    expect(devices.get_by_role("button", name="Free seat of New laptop")).to_be_visible()


def test_balance_files_and_downloads_are_his(
    new_page: NewPage, workspace: Workspace, tmp_path: Path
) -> None:
    sell(workspace, BEA)
    listed = workspace.ok("GET", f"{workspace.path}/releases")["items"]
    path = f"/api/releases/{listed[0]['id']}/files"
    workspace.owner.post(path, files={"file": ("setup.bin", b"installer")}).raise_for_status()
    customer = workspace.end_user(BEA)
    page = signed_in(new_page(), customer.email, customer.password)

    open_license(page, "Her MeteredToken")
    facts = page.get_by_role("region", name="License", exact=True)
    expect(facts).to_contain_text("credits left")
    expect(facts).to_contain_text(workspace.licenses["MeteredToken"]["licenseKey"])
    # A version beside newer downloads would ask which is right.
    version = facts.get_by_text("Bought with version")
    expect(version).to_be_hidden()
    facts.get_by_text("More about this license").click()
    expect(version).to_be_visible()
    with page.expect_download() as taken:
        page.get_by_role("button", name="Download license.bin").click()
    assert taken.value.suggested_filename == "license.bin"
    taken.value.save_as(tmp_path / "license.bin")
    assert (tmp_path / "license.bin").read_text().count(".") == 2
    downloads = page.get_by_role("region", name="Downloads")
    expect(downloads.locator("code")).to_be_hidden()
    encrypted = page.get_by_role("button", name="Download encrypted")
    expect(encrypted).to_be_hidden()
    page.get_by_text("Encrypted file", exact=True).click()
    expect(encrypted).to_be_visible()
    with page.expect_download() as taken:
        downloads.get_by_role("link", name="Download: setup.bin").click()
    taken.value.save_as(tmp_path / "setup.bin")
    assert (tmp_path / "setup.bin").read_bytes() == b"installer"
    examine(page, "portal-metered")

    expect(page.get_by_role("link", name="Renew")).to_have_count(0)
    expect(page.get_by_role("link", name="Get more credits")).to_have_attribute("href", RENEW)
    changes = page.get_by_role("region", name="Latest changes of the balance")
    expect(changes.get_by_role("listitem")).to_contain_text(["Included with the license"])
    # No device takes a seat of it, so none is missing.
    expect(page.get_by_role("region", name="Devices")).to_have_count(0)
    open_license(page, "Her Trial")
    expect(page.get_by_role("link", name="Renew")).to_have_attribute("href", RENEW)


def test_the_home_page_warns_and_acts(new_page: NewPage, workspace: Workspace) -> None:
    receiver = {"issuedTo": FAY, "metadata": {"renewUrl": RENEW}}
    workspace.issue("Trial", licenseName="Ends", expirationDate=in_days(30), **receiver)
    workspace.issue("Perpetual", licenseName="Stays", **receiver)
    pool = workspace.issue("Concurrent", licenseName="Full", maxActiveUsersCount=2, **receiver)
    for device in ("One", "Two"):
        workspace.activate(pool, device)
    customer = workspace.end_user(FAY)
    page = SteadyDay(timedelta(days=27)).on(new_page())
    signed_in(page, customer.email, customer.password)
    go(page, "/portal")
    rows = page.get_by_role("list", name="Licenses").get_by_role("listitem")
    expect(rows.filter(has_text="Ends")).to_contain_text("Ends in 3 days")
    link = rows.filter(has_text="Ends").get_by_role("link", name="Renew")
    expect(link).to_have_attribute("href", RENEW)
    expect(rows.filter(has_text="Full")).to_contain_text("All 2 seats in use")
    expect(page.get_by_role("link", name="Renew")).to_have_count(1)
    examine(page, "portal-home-warns")


def test_low_balance_says_where_to_get_more(new_page: NewPage, workspace: Workspace) -> None:
    feature = "render-frame"
    workspace.feature(feature, cost=2.5)
    for name, metadata in (("In the shop", {"renewUrl": RENEW}), ("By email", {})):
        made = workspace.issue(
            "MeteredToken", issuedTo=EVE, licenseName=name, initialMeterBalance=100,
            metadata=metadata,
        )  # fmt: skip
        path = f"/api/licenses/{made['id']}/meter-settings"
        workspace.ok("PUT", path, {"lowBalanceThreshold": 90})
        workspace.consume(made, feature, 4)
    place = f"/api/institutions/{workspace.institution}/appearance"
    workspace.ok("PUT", place, {"supportEmail": "help@aurora.example"})
    customer = workspace.end_user(EVE)
    page = signed_in(new_page(), customer.email, customer.password)
    low = page.get_by_role("alert").filter(has_text="The balance is low: 90 credits left.")

    go(page, "/portal")
    expect(page.get_by_text("Only 90 credits left")).to_have_count(2)
    expect(page.get_by_role("link", name="Get more credits")).to_have_count(1)
    open_license(page, "In the shop")
    expect(low.get_by_role("link", name="Get more credits")).to_have_attribute("href", RENEW)
    changes = page.get_by_role("region", name="Latest changes of the balance")
    expect(changes.get_by_role("listitem").first).to_contain_text("Render frame \u00d7 4")
    expect(changes.get_by_role("listitem").first).to_contain_text("\u221210")
    open_license(page, "By email")
    link = low.get_by_role("link", name="help@aurora.example")
    expect(link).to_have_attribute("href", "mailto:help@aurora.example")
    examine(page, "portal-low-balance")
    workspace.ok("PUT", place, {"supportEmail": None})


def test_the_portal_has_the_name_logo_and_color_of_the_vendor(
    owner_page: Page, new_page: NewPage, workspace: Workspace
) -> None:
    page, place = owner_page, f"/api/institutions/{workspace.institution}"
    workspace.issue("Perpetual", issuedTo=DORA)
    go(page, "/settings/appearance")
    form = page.get_by_role("region", name="Appearance")
    form.get_by_label("Display name").fill("Aurora Software")
    color = form.get_by_label("Color", exact=True)
    color.fill("#ffcc00")
    color.blur()
    expect(color).to_have_accessible_description(
        re.compile(r"contrast of 1\.5:1, and needs 4\.5:1")
    )
    preview = form.get_by_role("figure", name="Preview")
    shown = "button => getComputedStyle(button).color"
    renew = preview.get_by_text("Renew")
    expect(renew).to_have_count(0)
    form.get_by_label("Renewal page").fill("https://shop.example/{licenseKey}")
    before = renew.evaluate(shown)
    color.fill("#0b6e4f")
    expect(color).to_have_accessible_description(
        re.compile(r"contrast of 6\.3:1, which is readable")
    )
    form.get_by_label("Welcome", exact=True).fill("Good to see you.")
    form.get_by_label("Welcome in German").fill("Guten Tag.")
    expect(preview).to_contain_text("Good to see you.")
    preview.get_by_role("button", name="Deutsch").click()
    expect(preview).to_contain_text("Guten Tag.")
    assert renew.evaluate(shown) != before
    form.get_by_label("Support email").fill("help@aurora.example")
    form.get_by_role("button", name="Save").click()
    expect(page.get_by_text("Appearance saved.")).to_be_visible()
    form.get_by_label("Upload logo").last.set_input_files(
        {"name": "logo.png", "mimeType": "image/png", "buffer": picture()}
    )
    expect(form.get_by_role("button", name="Remove logo")).to_be_visible()
    examine(page, "settings-appearance")
    _looks_like_the_vendor_before_the_sign_in(page, new_page(), workspace)

    customer = workspace.end_user(DORA)
    theirs = signed_in(new_page(), customer.email, customer.password)
    go(theirs, "/portal")
    home = theirs.get_by_role("link", name="Aurora Software, home")
    expect(home.locator("img")).to_be_visible()
    expect(theirs.get_by_text("Good to see you.")).to_be_visible()
    expect(theirs.get_by_role("link", name="help@aurora.example")).to_be_visible()
    expect(theirs.locator("html")).to_have_attribute("data-vendor", "")
    examine(theirs, "portal-vendor")
    # With one license, its page is the first.
    expect(theirs.get_by_role("heading", name=workspace.name)).to_be_visible()
    expect(theirs.get_by_role("button", name="Copy key")).to_be_visible()
    theirs.mouse.move(0, 0)  # away from what has a tooltip
    examine(theirs, "portal-vendor-license")

    form.get_by_role("button", name="Remove logo").click()
    expect(form.get_by_role("button", name="Upload logo")).to_be_visible()
    go(theirs, "/portal")
    theirs.get_by_role("combobox", name="Language").select_option("de")
    expect(theirs.get_by_text("Guten Tag.")).to_be_visible()
    expect(theirs.get_by_text("Good to see you.")).to_have_count(0)
    theirs.get_by_role("combobox", name="Sprache").select_option("en")
    expect(home).to_be_visible()

    nothing: dict[str, object] = dict.fromkeys(
        ("displayName", "color", "welcome", "supportEmail", "renewalUrl")
    )
    nothing["welcomeTranslations"] = {"de": None}
    workspace.ok("PUT", f"{place}/appearance", nothing)
    theirs.reload()
    expect(home).to_have_count(0)
    expect(theirs.locator("html")).not_to_have_attribute("data-vendor", "")


def _looks_like_the_vendor_before_the_sign_in(
    page: Page, visitor: Page, workspace: Workspace
) -> None:
    way = f"/portal/access?vendor={workspace.institution}"
    expect(page.get_by_text(way)).to_be_visible()
    visitor.goto(way)
    expect(visitor.get_by_role("heading", name="Your licenses")).to_be_visible()
    expect(visitor.get_by_role("link", name="Aurora Software, home").locator("img")).to_be_visible()
    expect(visitor.get_by_role("link", name="help@aurora.example")).to_be_visible()
    expect(visitor.locator("html")).to_have_attribute("data-vendor", "")
    examine(visitor, "portal-access-vendor")
    visitor.get_by_label("Email address").fill(DORA)
    visitor.get_by_role("button", name="Send link").click()
    expect(visitor.get_by_role("heading", name="Check your email")).to_be_visible()
    expect(visitor.get_by_role("link", name="Aurora Software, home")).to_be_visible()
    # Another one is not found, or shows nothing of its own.
    visitor.goto("/portal/access?vendor=nobody")
    expect(visitor.get_by_role("heading", name="Your licenses")).to_be_visible()
    expect(visitor.get_by_role("link", name="License portal, home")).to_be_visible()
    expect(visitor).to_have_title("Your licenses · License portal")
    expect(visitor.locator("html")).not_to_have_attribute("data-vendor", "")


def picture() -> bytes:
    """A logo."""
    kept = io.BytesIO()
    Image.new("RGB", (120, 40), "#0b6e4f").save(kept, "PNG")
    return kept.getvalue()


def test_a_revoked_license_says_so_and_somebody_elses_is_not_there(
    new_page: NewPage, workspace: Workspace
) -> None:
    sell(workspace, CLEO)
    workspace.act(workspace.licenses["Trial"], "revoke")
    foreign = workspace.issue("Perpetual", issuedTo="somebody@else.example.com")
    customer = workspace.end_user(CLEO)
    page = signed_in(new_page(), customer.email, customer.password)
    open_license(page, "Her Trial")
    expect(page.get_by_text("has revoked this license")).to_be_visible()
    expect(page.get_by_role("button", name="Download license.bin")).to_be_hidden()
    with expecting(page, 404):
        go(page, f"/portal/licenses/{foreign['id']}")
        expect(page.get_by_text("This license is not among yours")).to_be_visible()
    page.get_by_role("main").get_by_role("link", name="My licenses").last.click()
    expect(page.get_by_role("heading", name="My licenses")).to_be_visible()
    # Whose product this is written with is none of a customer's business.
    page.get_by_role("button", name="your account").click()
    expect(page.get_by_role("menuitem", name="Sign out")).to_be_visible()
    expect(page.get_by_role("menuitem", name="What's new")).to_have_count(0)
    page.keyboard.press("Escape")
    expect(page.get_by_role("link", name="Licet, home")).to_have_count(0)
    expect(page).not_to_have_title(re.compile("· Licet$"))
    for address in ("/", "/licenses", "/settings/api-keys"):
        go(page, address)
        expect(page).to_have_url(re.compile(r"/portal$"))
