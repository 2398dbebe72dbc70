"""Products: made, described, released, priced, and their keys."""

import hashlib
import os
import re
import subprocess
import sys
from datetime import timedelta
from pathlib import Path
from typing import Any

import httpx
import pytest
from dashboard.checks import axe, examine, look
from dashboard.conftest import NewPage, signed_in
from dashboard.entrance import choose, entry
from dashboard.moving import go
from dashboard.vendor import Workspace, in_days
from dashboard.watching import expecting
from e2e.environment import environment
from playwright.sync_api import Locator, Page, Route, expect

from licet_server.kit.clock import system_clock

MEGABYTE = 1_000_000
TABS = ("", "/releases", "/features", "/entitlement-sets", "/policies", "/keys", "/settings")


def copied(page: Page, button: str) -> str:
    """What a button puts on the clipboard."""
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.get_by_role("button", name=button, exact=True).click()
    return str(page.evaluate("() => navigator.clipboard.readText()"))


def open_tab(page: Page, workspace: Workspace, tab: str = "") -> None:
    go(page, f"/products/{workspace.product}{tab}")
    expect(page.get_by_role("heading", level=1, name=workspace.name)).to_be_visible()


def region(page: Page, name: str) -> Locator:
    return page.get_by_role("region", name=name, exact=True)


def test_a_product_is_made_with_its_first_release_and_keys(
    owner_page: Page, owner: httpx.Client
) -> None:
    page = owner_page
    go(page, "/products")
    page.get_by_role("link", name="New product").first.click()
    page.get_by_role("textbox", name="Name").fill("Borealis")
    page.get_by_label("Version").fill("4.0.0-beta.1")
    page.get_by_label("Channel").fill("Beta")
    page.get_by_label("Description").fill("Shows the northern lights.")
    examine(page, "product-new")
    page.get_by_role("button", name="Create product").click()
    expect(page.get_by_role("heading", level=1, name="Borealis")).to_be_visible()
    expect(page.get_by_text("2 of 3 steps done")).to_be_visible()
    expect(page.get_by_text("4.0.0-beta.1 (Beta)")).to_be_visible()
    [made] = owner.get("/api/products", params={"search": "Borealis"}).json()["items"]
    assert made["hasKeys"]
    assert made["description"] == "Shows the northern lights."
    status = owner.get(f"/api/products/{made['id']}/keys/status").json()
    assert status["keySize"] == 3072
    go(page, "/products/new")
    page.get_by_role("textbox", name="Name").fill("borealis")
    with expecting(page, 409, path="/api/products"):
        page.get_by_role("button", name="Create product").click()
        expect(page.get_by_role("alert")).to_contain_text("already has a product with this name")
    go(page, "/products")
    page.get_by_placeholder("Search by name").fill("boreal")
    expect(page).to_have_url(re.compile("search=boreal"))
    expect(page.get_by_role("row")).to_have_count(2)
    examine(page, "products")


def test_the_snippet_runs_as_it_is_copied(
    owner_page: Page, workspace: Workspace, tmp_path: Path
) -> None:
    page = owner_page
    license_ = workspace.issue("Perpetual")
    open_tab(page, workspace)
    expect(region(page, "Product key")).to_be_visible()
    expect(page.get_by_text(workspace.api_key)).to_have_count(0)
    snippet = tmp_path / "check.py"
    snippet.write_text(copied(page, "Copy python snippet"))
    ran = subprocess.run(
        [sys.executable, snippet],
        input=f"{license_['licenseKey']}\n",
        cwd=tmp_path,
        env=environment(),
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert ran.returncode == 0, ran.stderr
    assert "Valid" in ran.stdout
    region(page, "Product key").get_by_role("button", name="Show").click()
    expect(region(page, "Product key").get_by_text(workspace.api_key)).to_be_visible()
    page.get_by_role("button", name="curl").click()
    command = copied(page, "Copy curl command")
    asked = subprocess.run(
        command.replace("XXXXX-XXXXX-XXXXX-XXXXX-XXXXX", license_["licenseKey"]),
        shell=True,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert '"valid":true' in asked.stdout.replace(" ", ""), asked.stderr
    assert copied(page, "Copy public key (PEM)").strip() == workspace.public_key.strip()


def test_the_list_is_narrowed_to_test_products(owner_page: Page, workspace: Workspace) -> None:
    body = {"institutionId": workspace.institution, "initialVersion": "1.0.0", "mode": "Test"}
    workspace.ok("POST", "/api/products", {"name": "Aurora tests", **body})
    go(owner_page, "/products")
    own, tests = (
        owner_page.get_by_role("link", name=it) for it in (workspace.name, "Aurora tests")
    )
    expect(own).to_be_visible()
    owner_page.get_by_role("button", name="Add filter").click()
    owner_page.get_by_role("menuitem", name="Test products").click()
    chip = owner_page.get_by_role("button", name="Remove filter Test products")
    expect(chip).to_be_visible()
    expect(own).to_have_count(0)
    expect(tests).to_be_visible()
    go(owner_page, "/")
    activity = owner_page.get_by_role("region", name="Recent activity")
    entry = activity.get_by_role("listitem").filter(has_text="Aurora tests")
    expect(entry.get_by_text("Test", exact=True).first).to_be_visible()


def as_failed(route: Route) -> None:
    """Answer with the clock as one that stopped at a fault."""
    answer = route.fetch()
    body = answer.json()
    body["items"][0]["status"] = "Failed"
    route.fulfill(response=answer, json=body)


def test_a_test_clock_takes_a_trial_past_its_end(
    owner_page: Page, new_page: NewPage, workspace: Workspace
) -> None:
    page = owner_page
    copy = workspace.ok("POST", f"{workspace.path}/test-copy", {})
    terms = {"productId": copy["id"], "expirationDate": in_days(14)}
    trial = workspace.issue("Trial", licenseName="A fortnight", **terms)
    go(page, f"/products/{copy['id']}")
    page.get_by_role("button", name="Set up test clock").click()
    page.get_by_role("dialog").get_by_role("button", name="Set up").click()
    clock, told = region(page, "Test clock"), region(page, "What happened by the test clock")
    expect(told).to_contain_text("The test clock was set up")
    clock.get_by_role("button", name="Advance 30 days").click()
    ended = told.get_by_role("listitem").filter(has_text="The license expired")
    expect(ended).to_contain_text("A fortnight")
    expect(clock.get_by_role("status")).to_contain_text("Ready")
    clock.get_by_role("button", name="Advance to a time").click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_label("Time (UTC)").fill("2020-01-31T09:30")
    dialog.get_by_role("button", name="Advance", exact=True).click()
    expect(dialog).to_contain_text("Choose a later time than that of the clock.")
    later = system_clock() + timedelta(days=60)
    dialog.get_by_label("Time (UTC)").fill(f"{later:%Y-%m-%dT09:30}")
    dialog.get_by_role("button", name="Advance", exact=True).click()
    expect(clock.get_by_role("status")).to_contain_text(re.compile("9:30 AM UTC.*Ready"))
    clock.get_by_role("button", name="Advance to the next event").click()
    expect(clock).to_contain_text("nothing was due")
    examine(page, "test-clock")
    ended.get_by_role("link").click()
    expect(page).to_have_url(re.compile(f"/licenses/{trial['id']}$"))
    expect(page.get_by_text("Expired", exact=True).first).to_be_visible()
    viewer = workspace.member("Viewer")
    other = signed_in(new_page(), viewer.email, viewer.password)
    go(other, f"/products/{copy['id']}")
    expect(region(other, "Test clock").get_by_role("status")).to_contain_text("9:30 AM UTC")
    expect(region(other, "What happened by the test clock")).to_contain_text("A fortnight")
    expect(region(other, "Test clock").get_by_role("button", name="Advance")).to_have_count(0)
    page.route("**/api/test-clocks?*", as_failed)
    go(page, f"/products/{copy['id']}")
    expect(clock.get_by_role("alert")).to_contain_text("Advance it again")
    expect(clock.get_by_role("button", name="Advance 1 day")).to_be_enabled()
    page.unroute("**/api/test-clocks?*")
    clock.get_by_role("button", name="Remove test clock").click()
    dialog = page.get_by_role("dialog")
    expect(dialog).to_contain_text("goes by the present again")
    dialog.get_by_role("button", name="Remove test clock").click()
    expect(clock.get_by_role("button", name="Set up test clock")).to_be_visible()
    expect(told).to_have_count(0)
    assert workspace.ok("GET", f"/api/licenses/{trial['id']}")["status"] == "Active"


def test_a_release_is_drafted_published_and_yanked(owner_page: Page, workspace: Workspace) -> None:
    page = owner_page
    open_tab(page, workspace, "/releases")
    page.get_by_role("button", name="Add release").click()
    dialog = page.get_by_role("dialog", name="Add release")
    dialog.get_by_label("Version").fill("2.1.0")
    with expecting(page, 409, path="/releases"):
        dialog.get_by_role("button", name="Add release").click()
        expect(dialog.get_by_role("alert")).to_contain_text("this version in this channel")
    dialog.get_by_label("Version").fill("2.2.0")
    dialog.get_by_label("Notes").fill("**Faster** <script>alert(1)</script> ![x](https://x.test/x)")
    dialog.get_by_role("button", name="Add release").click()
    page.get_by_role("link", name="2.2.0").click()
    facts = region(page, "Release 2.2.0")
    expect(facts.get_by_text("Draft")).to_be_visible()
    expect(region(page, "Notes").locator("strong")).to_have_text("Faster")
    facts.get_by_role("button", name="Publish").click()
    page.get_by_role("dialog").get_by_role("button", name="Publish").click()
    expect(facts.get_by_text("Published", exact=True)).to_be_visible()
    facts.get_by_role("button", name="Yank").click()
    page.get_by_role("dialog").get_by_role("button", name="Yank release").click()
    expect(facts.get_by_text("Yanked")).to_be_visible()
    facts.get_by_role("button", name="Delete").click()
    page.get_by_role("dialog").get_by_role("button", name="Delete release").click()
    expect(page.get_by_role("heading", level=2, name="Releases")).to_be_visible()
    expect(page.get_by_role("link", name="2.2.0")).to_have_count(0)


def upload(page: Page, name: str, content: bytes) -> None:
    page.get_by_label("Choose files").last.set_input_files(
        {"name": name, "mimeType": "application/octet-stream", "buffer": content}
    )


def test_a_file_is_uploaded_with_its_progress_and_comes_back_whole(
    owner_page: Page, workspace: Workspace
) -> None:
    page = owner_page
    release = workspace.release("2.3.0")
    content = os.urandom(3 * MEGABYTE)
    open_tab(page, workspace, f"/releases/{release['id']}")
    expect(page.get_by_text("No files")).to_be_visible()

    def hold(_: Route) -> None:
        "The upload goes no further than this."

    page.route("**/files", hold)
    upload(page, "canceled.bin", content)
    expect(page.get_by_role("progressbar", name="Upload of canceled.bin")).to_be_visible()
    axe(page)
    look(page, "product-upload")
    page.get_by_role("tab", name="Overview").click()
    guard = page.get_by_role("dialog", name="Leave while files are uploading?")
    guard.get_by_role("button", name="Cancel", exact=True).click()
    page.get_by_role("button", name="Cancel upload of canceled.bin").click()
    expect(page.get_by_text("Canceled", exact=True)).to_be_visible()
    page.unroute("**/files")

    page.get_by_label("Platform").fill("linux-x64")
    upload(page, "setup.run", content)
    row = page.get_by_role("row", name="setup.run")
    expect(row).to_contain_text("linux-x64")
    expect(row).to_contain_text("3 MB")
    expected = hashlib.sha256(content).hexdigest()
    assert copied(page, "Copy SHA-256 of setup.run") == expected
    with page.expect_download() as download:
        choose(page.get_by_role("row", name="setup.run"), "Download")
    assert download.value.suggested_filename == "setup.run"
    assert hashlib.sha256(Path(download.value.path()).read_bytes()).hexdigest() == expected

    with expecting(page, 400, path="/files"):
        upload(page, "empty.bin", b"")
        expect(page.get_by_role("alert").filter(has_text="is empty")).to_be_visible()
    with expecting(page, 409, path="/files"):
        upload(page, "SETUP.run", b"again")
        expect(page.get_by_text("a file with this name for this platform")).to_be_visible()
    choose(page.get_by_role("row", name="setup.run"), "Delete")
    page.get_by_role("dialog").get_by_role("button", name="Delete file").click()
    expect(page.get_by_text("No files")).to_be_visible()


def test_a_new_price_keeps_those_before(owner_page: Page, workspace: Workspace) -> None:
    page = owner_page
    open_tab(page, workspace, "/features")
    page.get_by_role("button", name="Add feature").first.click()
    dialog = page.get_by_role("dialog", name="Add feature")
    dialog.get_by_label("Name", exact=False).first.fill("export")
    dialog.get_by_role("button", name="Add feature").click()
    choose(page.get_by_role("row", name="export"), "Set price")
    dialog = page.get_by_role("dialog", name="Price of export")
    for cost in ("1", "2.5"):
        dialog.get_by_label("New price in credits").fill(cost)
        dialog.get_by_role("button", name="Set price").click()
        expect(dialog.get_by_role("row").nth(1)).to_contain_text(cost)
        expect(dialog.get_by_role("row").nth(1)).to_contain_text("Current")
    expect(dialog.get_by_role("row")).to_have_count(3)
    expect(dialog.get_by_text("Current")).to_have_count(1)
    examine(page, "product-price")
    dialog.get_by_role("button", name="Close").click()
    expect(page.get_by_role("row", name="export")).to_contain_text("2.5 credits")
    workspace.consume(workspace.issue("MeteredToken", initialMeterBalance=5), "export", 2)


def test_a_set_follows_its_features_and_stays_while_it_is_used(
    owner_page: Page, workspace: Workspace
) -> None:
    page = owner_page
    workspace.feature("raw-import")
    open_tab(page, workspace, "/entitlement-sets")
    page.get_by_role("button", name="Add entitlement set").first.click()
    dialog = page.get_by_role("dialog", name="Add entitlement set")
    dialog.get_by_label("Name").fill("Standard")
    dialog.get_by_label("Features").fill("raw")
    page.get_by_role("option", name="raw-import").click()
    page.keyboard.press("Escape")
    dialog.get_by_role("button", name="Add entitlement set").click()
    expect(page.get_by_role("row", name="Standard")).to_contain_text("raw-import")
    [made] = workspace.ok("GET", f"{workspace.path}/entitlement-sets")["items"]
    workspace.issue("Perpetual", entitlementSetId=made["id"])
    choose(page.get_by_role("row", name="Standard"), "Delete")
    dialog = page.get_by_role("dialog")
    with expecting(page, 409, path="/api/entitlement-sets"):
        dialog.get_by_role("button", name="Delete entitlement set").click()
        expect(dialog.get_by_role("alert")).to_contain_text("Licenses use this entitlement set")


def test_a_set_gives_numbers_and_texts(owner_page: Page, workspace: Workspace) -> None:
    page = owner_page
    workspace.feature("export")
    workspace.feature("region", kind="Text")
    open_tab(page, workspace, "/features")
    page.get_by_role("button", name="Add feature").first.click()
    dialog = page.get_by_role("dialog", name="Add feature")
    dialog.get_by_role("textbox", name="Name", exact=True).fill("max-projects")
    dialog.get_by_label("Kind").click()
    page.get_by_role("option", name="Number").click()
    dialog.get_by_role("button", name="Add feature").click()
    expect(page.get_by_role("row", name="max-projects")).to_contain_text("Number")
    open_tab(page, workspace, "/entitlement-sets")
    page.get_by_role("button", name="Add entitlement set").first.click()
    dialog = page.get_by_role("dialog", name="Add entitlement set")
    dialog.get_by_label("Name").fill("Pro")
    for name in ("export", "max-projects", "region"):
        dialog.get_by_label("Features").fill(name)
        page.get_by_role("option", name=name).click()
    page.keyboard.press("Escape")
    dialog.get_by_label("Value of max-projects").fill("25")
    dialog.get_by_label("Value of region").fill("Europe")
    examine(page, "set-with-values")
    dialog.get_by_role("button", name="Add entitlement set").click()
    expect(page.get_by_role("row", name="Pro")).to_contain_text("max-projects: 25")
    [made] = workspace.ok("GET", f"{workspace.path}/entitlement-sets")["items"]
    assert made["entries"] == [
        {"featureName": "export"},
        {"featureName": "max-projects", "value": 25},
        {"featureName": "region", "value": "Europe"},
    ]
    choose(page.get_by_role("row", name="Pro"), "Edit")
    dialog = page.get_by_role("dialog")
    dialog.get_by_label("Value of max-projects").fill("50")
    dialog.get_by_role("button", name="Save").click()
    expect(page.get_by_role("row", name="Pro")).to_contain_text("max-projects: 50")


def test_rotation_takes_the_name_and_changes_the_key(
    owner_page: Page, workspace: Workspace
) -> None:
    page = owner_page
    before = workspace.ok("GET", f"{workspace.path}/keys/status")["kid"]
    open_tab(page, workspace, "/keys")
    page.get_by_role("button", name="Rotate keys").click()
    dialog = page.get_by_role("dialog", name="Rotate RSA keys")
    expect(dialog).to_contain_text("SignatureMismatch")
    examine(page, "product-rotate")
    rotate = dialog.get_by_role("button", name="Rotate keys")
    expect(rotate).to_be_disabled()
    typed = dialog.get_by_label(f"Type “{workspace.name}” to confirm")
    typed.fill("Something else")
    expect(rotate).to_be_disabled()
    typed.fill(workspace.name)
    rotate.click()
    expect(page.get_by_text("Keys rotated. What to do now")).to_be_visible()
    after = workspace.ok("GET", f"{workspace.path}/keys/status")["kid"]
    assert after != before
    expect(page.get_by_text(after)).to_be_visible()
    axe(page)


def test_next_key_is_prepared_discarded_and_activated(
    owner_page: Page, workspace: Workspace
) -> None:
    page = owner_page
    path = f"{workspace.path}/keys"

    def shown() -> dict[str, Any]:
        """Prepare a key on the page, which then shows it."""
        area.get_by_role("button", name="Prepare next key").click()
        dialog = page.get_by_role("dialog", name="Prepare next key")
        dialog.get_by_role("combobox").click()
        page.get_by_role("option", name="2048 bits").click()
        dialog.get_by_role("button", name="Prepare").click()
        expect(area.get_by_role("button", name="Activate")).to_be_visible()
        made: dict[str, Any] = workspace.ok("GET", f"{path}/status")["next"]
        expect(area.get_by_text(made["kid"])).to_be_visible()
        return made

    open_tab(page, workspace, "/keys")
    area = region(page, "Next key")
    expect(area).to_contain_text("No key pair is prepared")
    made = shown()
    examine(page, "product-next-key")
    with page.expect_download() as download:
        area.get_by_role("button", name="Download next PEM").click()
    assert Path(download.value.path()).read_text() == made["publicKeyPem"]
    area.get_by_role("button", name="Discard").click()
    page.get_by_role("dialog").get_by_role("button", name="Discard").click()
    expect(area).to_contain_text("No key pair is prepared")
    made = shown()
    area.get_by_role("button", name="Activate").click()
    dialog = page.get_by_role("dialog", name="Activate next key")
    activate = dialog.get_by_role("button", name="Activate")
    expect(activate).to_be_disabled()
    dialog.get_by_label(f"Type “{workspace.name}” to confirm").fill(workspace.name)
    activate.click()
    expect(area).to_contain_text("No key pair is prepared")
    assert workspace.ok("GET", f"{path}/status")["kid"] == made["kid"]
    axe(page)


def test_product_keys_are_rotated_and_revoked(owner_page: Page, workspace: Workspace) -> None:
    page = owner_page
    license_ = workspace.issue("Perpetual")
    open_tab(page, workspace, "/keys")
    keys = region(page, "Product keys")
    expect(keys.get_by_text("The last key cannot be revoked")).to_be_visible()
    keys.get_by_role("button", name="Rotate product key").click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_label("1 day").check()
    dialog.get_by_role("button", name="Rotate product key").click()
    expect(keys.get_by_role("row")).to_have_count(3)
    expect(keys.get_by_role("row").nth(2)).to_contain_text("in 24 hours")
    assert workspace.validate(license_)["valid"], "the old key lives for its grace"
    keys.get_by_role("row").nth(2).get_by_role("button", name="Revoke").click()
    page.get_by_role("dialog").get_by_role("button", name="Revoke product key").click()
    expect(keys.get_by_role("row")).to_have_count(2)
    with pytest.raises(AssertionError, match="401"):
        workspace.validate(license_)


def test_settings_send_what_changed_and_warn_of_what_is_not_saved(
    owner_page: Page, workspace: Workspace
) -> None:
    workspace.ok("PUT", workspace.path, {"settings": {"sessionTimeoutSeconds": 90}})
    page = owner_page
    open_tab(page, workspace, "/settings")
    save = page.get_by_role("button", name="Save")
    expect(save).to_have_count(0)
    page.get_by_label("Heartbeat interval (seconds)").fill("60")
    expect(page.get_by_text("At least 120, twice the heartbeat interval")).to_be_visible()
    save.click()
    expect(page.get_by_label("Session timeout (seconds)")).to_be_focused()
    page.get_by_label("Session timeout (seconds)").fill("180")
    entry(page, "Licenses").click()
    guard = page.get_by_role("dialog", name="Leave without saving")
    guard.get_by_role("button", name="Cancel", exact=True).click()
    # What somebody else has changed meanwhile stays, since it is not sent.
    workspace.ok("PUT", workspace.path, {"description": "Somebody else's"})
    save.click()
    expect(save).to_have_count(0)
    saved = workspace.ok("GET", workspace.path)
    assert saved["description"] == "Somebody else's"
    assert saved["settings"]["heartbeatIntervalSeconds"] == 60
    assert saved["settings"]["sessionTimeoutSeconds"] == 180
    workspace.issue("Perpetual")
    page.get_by_role("button", name="Delete product").click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_label(f"Type “{workspace.name}” to confirm").fill(workspace.name)
    with expecting(page, 409, path=workspace.path):
        dialog.get_by_role("button", name="Delete product").click()
        expect(dialog.get_by_role("alert")).to_contain_text("still has licenses")


@pytest.mark.parametrize("role", ["Viewer", pytest.param("Member", marks=pytest.mark.long)])
def test_readers_see_no_buttons_and_no_product_key(
    role: str, new_page: NewPage, workspace: Workspace
) -> None:
    workspace.feature("export", cost=2)
    workspace.entitlement_set("Standard", "export")
    workspace.policy("Team, yearly")
    page = signed_in(new_page(), workspace.member(role).email)
    for tab in TABS:
        open_tab(page, workspace, tab)
        expect(page.get_by_role("tabpanel").locator("section, table").first).to_be_visible()
        for name in ("Add", "Edit", "Delete", "Rotate", "Revoke", "Generate", "Save", "Issue"):
            expect(page.get_by_role("button", name=name)).to_have_count(0)
            expect(page.get_by_role("link", name=name)).to_have_count(0)
        expect(page.get_by_text("Product key", exact=True)).to_have_count(0)
        expect(page.get_by_text("pk_")).to_have_count(0)
    open_tab(page, workspace)
    expect(page.get_by_text("Ask an Owner or Admin for the product key.")).to_be_visible()
    axe(page)


@pytest.mark.long
def test_every_tab_stands_on_every_screen(owner_page: Page, workspace: Workspace) -> None:
    page = owner_page
    release = workspace.release(
        "2.4.0", notes="# New\n\n- `code` and [a link](https://example.com)"
    )
    workspace.feature("raw-import", cost=1.5, displayName="RAW import", description="Reads " * 60)
    workspace.feature("a-name-of-many-letters-" * 5)
    workspace.entitlement_set("Standard", "raw-import")
    workspace.policy("Team, yearly")
    workspace.ok("POST", f"{workspace.path}/credentials/rotate", {"graceSeconds": 3600})
    files = {"file": ("An installer with quite a long name, version 2.4.0.exe", b"content")}
    path = f"/api/releases/{release['id']}/files"
    assert workspace.owner.post(path, files=files).is_success
    for tab in (*TABS, f"/releases/{release['id']}"):
        open_tab(page, workspace, tab)
        expect(page.get_by_role("tabpanel").locator("section, table").first).to_be_visible()
        expect(page.locator(".MuiSkeleton-root")).to_have_count(0)
        name = tab.split("/")[1] if tab else "overview"
        examine(page, f"product-{name}" + ("-detail" if tab.count("/") > 1 else ""))


def test_the_snippets_of_all_languages_begin_with_the_program(
    owner_page: Page, workspace: Workspace
) -> None:
    page = owner_page
    open_tab(page, workspace)
    begins = {
        "Python": ("Copy python snippet", "from licet import"),
        "TypeScript": ("Copy typeScript snippet", "import { LicenseClient"),
        ".NET": ("Copy c# snippet", "using Licet"),
        "curl": ("Copy curl command", "curl -sS"),
    }
    for language, (copy, first) in begins.items():
        page.get_by_role("button", name=language, exact=True).click()
        text = copied(page, copy)
        assert text.startswith(first)
        assert "checkout" not in text


def test_products_have_colors_of_their_own_and_say_what_is_active(
    owner_page: Page, workspace: Workspace
) -> None:
    page = owner_page
    names = ("Aurora Flow", "Aurora Library")
    for name in names:
        workspace.ok("POST", "/api/products", {"name": name, "initialVersion": "1.0"})
    go(page, "/products?search=Aurora")
    colors = []
    for name in names:
        row = page.get_by_role("row", name=name)
        emblem = row.locator("[data-letters]")
        expect(emblem).to_have_attribute("data-color", re.compile(r"^\d$"))
        colors.append(emblem.get_attribute("data-color"))
    assert colors[0] != colors[1]
    license_ = workspace.issue("Perpetual")
    workspace.issue("Perpetual")
    workspace.ok("POST", f"/api/licenses/{license_['id']}/revoke", {})
    go(page, "/products")
    row = page.get_by_role("row").filter(
        has=page.locator(f'a[href$="/products/{workspace.product}"]')
    )
    expect(page.get_by_role("columnheader", name="Active licenses")).to_be_visible()
    for count in ("1", "2"):  # the active one, and both
        expect(row.get_by_role("cell", name=count, exact=True)).to_be_visible()
