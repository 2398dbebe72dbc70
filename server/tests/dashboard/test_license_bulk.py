"""Many licenses of the list, changed at once."""

from dashboard.checks import LIGHT, PHONE, examine
from dashboard.moving import go
from dashboard.test_licenses import listing, row, select
from dashboard.vendor import Json, Workspace, in_days
from playwright.sync_api import Page, Route, expect


def pick(page: Page, field: str, choice: str) -> None:
    page.get_by_role("dialog").get_by_role("combobox", name=field).click()
    page.get_by_role("option", name=choice, exact=True).click()


def test_several_are_suspended_at_once_and_a_refusal_is_told_by_name(
    owner_page: Page, workspace: Workspace
) -> None:
    page = owner_page
    made = {
        name: workspace.issue("Perpetual", licenseName=name) for name in ("One", "Two", "Three")
    }
    workspace.act(made["Three"], "revoke")
    go(page, listing(productId=workspace.product))
    for name in made:
        select(page, name)
    page.get_by_role("button", name="Suspend", exact=True).click()
    page.get_by_label("Reason (optional)").fill("Unpaid")
    asked = page.get_by_role("dialog")
    expect(asked).to_contain_text("Skipped: 1 license")
    expect(asked).to_contain_text("Three · customer@example.com: The license is revoked")
    examine(page, "licenses-bulk-preview", (LIGHT, PHONE))
    page.get_by_role("button", name="Suspend 2 licenses").click()
    expect(page.get_by_role("status")).to_have_text("2 licenses suspended, 1 failed.")
    summary = page.get_by_role("dialog", name="Some were skipped")
    expect(summary).to_contain_text("Three · customer@example.com: The license is revoked")
    examine(page, "licenses-bulk-summary", (LIGHT, PHONE))
    page.get_by_role("button", name="Close").click()
    expect(row(page, "One")).to_contain_text("Suspended")
    expect(page.get_by_text("1 selected")).to_be_visible()
    for name, status in (("One", "Suspended"), ("Two", "Suspended"), ("Three", "Revoked")):
        read = workspace.ok("GET", f"/api/licenses/{made[name]['id']}")
        assert read["status"] == status


def test_a_suspension_of_many_is_undone_for_those_that_it_suspended(
    owner_page: Page, workspace: Workspace
) -> None:
    page = owner_page
    made = {
        name: workspace.issue("Perpetual", licenseName=name) for name in ("One", "Two", "Before")
    }
    workspace.act(made["Before"], "suspend")
    go(page, listing(productId=workspace.product))
    reinstate = page.get_by_role("button", name="Reinstate", exact=True)
    row(page, "One").get_by_role("checkbox").check()
    expect(page.get_by_role("button", name="Suspend", exact=True)).to_be_visible()
    expect(reinstate).to_have_count(0)
    page.get_by_role("checkbox", name="Select all").check()
    expect(reinstate).to_be_visible()
    page.get_by_role("button", name="Suspend", exact=True).click()
    page.get_by_role("button", name="Suspend 3 licenses").click()
    expect(page.get_by_text("3 licenses suspended.")).to_be_visible()
    page.keyboard.press("z")
    expect(page.get_by_text("Undone: 2 licenses suspended.")).to_be_visible()
    expect(page.get_by_role("button", name="Undo")).to_have_count(0)
    for name, status in (("One", "Active"), ("Two", "Active"), ("Before", "Suspended")):
        assert workspace.ok("GET", f"/api/licenses/{made[name]['id']}")["status"] == status
    page.keyboard.press("z")
    expect(page.get_by_text("Nothing to undo.")).to_be_visible()


def test_an_extension_of_many_is_undone_but_for_what_somebody_changed(
    owner_page: Page, workspace: Workspace
) -> None:
    page = owner_page
    made = {name: workspace.issue("Subscription", licenseName=name) for name in ("Kept", "Moved")}
    paths = {name: f"/api/licenses/{one['id']}" for name, one in made.items()}
    go(page, listing(productId=workspace.product))

    def extend() -> None:
        page.get_by_role("checkbox", name="Select all").check()
        page.get_by_role("button", name="Extend", exact=True).click()
        page.get_by_role("button", name="Extend 2 licenses").click()
        expect(page.get_by_text("2 licenses extended.", exact=True)).to_be_visible()

    extend()
    page.keyboard.press("z")
    expect(page.get_by_text("Undone: 2 licenses extended.")).to_be_visible()
    for name, path in paths.items():
        assert workspace.ok("GET", path)["expirationDate"] == made[name]["expirationDate"]
    extend()
    moved = workspace.ok("PUT", paths["Moved"], {"expirationDate": "2040-01-01T00:00:00Z"})
    page.keyboard.press("z")
    summary = page.get_by_role("dialog", name="Some were skipped")
    expect(summary).to_contain_text("Moved · customer@example.com: The license was changed again")
    assert workspace.ok("GET", paths["Moved"])["expirationDate"] == moved["expirationDate"]
    assert workspace.ok("GET", paths["Kept"])["expirationDate"] == made["Kept"]["expirationDate"]


def test_selecting_moves_no_row_and_reaches_beyond_the_page(
    owner_page: Page, workspace: Workspace
) -> None:
    page = owner_page
    for number in range(12):
        workspace.issue("Perpetual", licenseName=f"License {number:02}")
    go(page, listing(productId=workspace.product, size="10"))
    rows = page.locator("[data-row]")
    expect(rows).to_have_count(10)
    places = "rows => rows.map(row => row.getBoundingClientRect().top)"
    before = rows.evaluate_all(places)
    page.get_by_role("main").focus()
    page.keyboard.press("Control+a")
    bar = page.get_by_role("region", name="Selection")
    expect(bar).to_contain_text("10 selected")
    assert rows.evaluate_all(places) == before
    page.keyboard.press("s")
    dialog = page.get_by_role("dialog")
    expect(dialog).to_contain_text("2 more match.")
    expect(dialog.get_by_role("button", name="Select all 12 that match")).to_be_visible()
    page.keyboard.press("Escape")
    expect(dialog).to_have_count(0)
    page.keyboard.press("Control+a")
    expect(bar).to_contain_text("12 selected")
    expect(bar.get_by_role("button", name="that match")).to_have_count(0)
    with page.expect_download():
        page.get_by_role("button", name="Export CSV").click()
    toast = page.get_by_text("Exported all 12 that match")
    toast.hover()  # it stays while it is pointed at
    told, offered = toast.bounding_box(), bar.bounding_box()
    assert told is not None
    assert offered is not None
    assert told["y"] + told["height"] < offered["y"], "the toast covers no action"


def test_a_revocation_in_bulk_asks_for_the_number_to_be_typed(
    owner_page: Page, workspace: Workspace
) -> None:
    page = owner_page
    made = [workspace.issue("Perpetual", licenseName=f"License {n}") for n in (1, 2)]
    go(page, listing(productId=workspace.product))
    page.get_by_role("checkbox", name="Select all").check()
    page.get_by_role("button", name="Revoke", exact=True).click()
    confirm = page.get_by_role("button", name="Revoke 2 licenses")
    expect(confirm).to_be_disabled()
    examine(page, "licenses-bulk-revoke")
    page.get_by_label("Type “revoke 2 licenses” to confirm").fill("revoke 2 licenses")
    confirm.click()
    expect(page.get_by_text("2 licenses revoked.")).to_be_visible()
    assert {workspace.ok("GET", f"/api/licenses/{one['id']}")["status"] for one in made} == {
        "Revoked"
    }
    page.get_by_role("button", name="Undo").click()
    expect(page.get_by_text("Undone: 2 licenses revoked.")).to_be_visible()
    assert {workspace.ok("GET", f"/api/licenses/{one['id']}")["status"] for one in made} == {
        "Active"
    }


def test_terms_are_extended_and_those_without_an_end_left_out(
    owner_page: Page, workspace: Workspace
) -> None:
    page = owner_page
    trial = workspace.issue("Trial", licenseName="Runs out", expirationDate=in_days(3))
    workspace.issue("Perpetual", licenseName="Endless")
    go(page, listing(productId=workspace.product))
    select(page, "Runs out")
    select(page, "Endless")
    page.get_by_role("button", name="Extend", exact=True).click()
    expect(page.get_by_role("dialog")).to_contain_text(
        "Endless · customer@example.com: The license does not expire"
    )
    pick(page, "Extend", "All to one date")
    page.get_by_label("Expiration date").fill("2098-05-31")
    page.get_by_role("button", name="Extend 1 license").click()
    expect(page.get_by_role("status")).to_have_text("1 license extended, 1 failed.")
    end = workspace.ok("GET", f"/api/licenses/{trial['id']}")["expirationDate"]
    offset = page.evaluate("() => new Date(2098, 4, 31, 23, 59, 59).toISOString()")
    assert end == offset.replace(".000Z", ".999999Z")


def test_each_license_is_extended_by_months_from_its_own_end(
    owner_page: Page, workspace: Workspace
) -> None:
    page = owner_page
    ends = {"First": "2097-01-31T10:00:00Z", "Second": "2097-06-15T10:00:00Z"}
    made = {
        name: workspace.issue("Trial", licenseName=name, expirationDate=end)
        for name, end in ends.items()
    }
    go(page, listing(productId=workspace.product))
    page.get_by_role("checkbox", name="Select all").check()
    page.get_by_role("button", name="Extend", exact=True).click()
    page.get_by_label("Months").fill("1")
    page.get_by_role("button", name="Extend 2 licenses").click()
    expect(page.get_by_text("2 licenses extended.")).to_be_visible()
    found = [workspace.ok("GET", f"/api/licenses/{one['id']}") for one in made.values()]
    assert [one["expirationDate"] for one in found] == [
        "2097-02-28T10:00:00Z",
        "2097-07-15T10:00:00Z",
    ]


def test_another_set_is_given_to_many_and_taken_back(
    owner_page: Page, workspace: Workspace
) -> None:
    page = owner_page
    path = f"/api/products/{workspace.product}/entitlement-sets"
    sets = {
        name: workspace.ok("POST", path, {"name": name, "entries": []})["id"]
        for name in ("Basic", "Pro")
    }
    before = {"One": sets["Basic"], "Two": None, "Three": sets["Pro"]}
    made = {
        name: workspace.issue("Perpetual", licenseName=name, entitlementSetId=given)
        for name, given in before.items()
    }

    def found() -> dict[str, str | None]:
        return {
            name: workspace.ok("GET", f"/api/licenses/{one['id']}")["entitlementSetId"]
            for name, one in made.items()
        }

    go(page, listing(productId=workspace.product))
    page.get_by_role("checkbox", name="Select all").check()
    page.get_by_role("button", name="More", exact=True).click()
    page.get_by_role("menuitem", name="Change entitlement set").click()
    pick(page, "Entitlement set", "Pro")
    page.get_by_role("button", name="Change the set of 3 licenses").click()
    expect(page.get_by_text("Entitlement set of 3 licenses changed.")).to_be_visible()
    assert set(found().values()) == {sets["Pro"]}
    page.get_by_role("button", name="Undo").click()
    expect(page.get_by_text("Undone: Entitlement set of 2 licenses changed.")).to_be_visible()
    assert found() == before


def test_a_policy_and_a_release_are_given_to_those_that_can_have_them(
    owner_page: Page, workspace: Workspace
) -> None:
    page = owner_page
    policy = {"productId": workspace.product, "name": "Team", "type": "Concurrent"}
    policy = workspace.ok("POST", "/api/policies", {**policy, "maxActiveUsersCount": 7})
    path = f"/api/products/{workspace.product}/releases"
    release = workspace.ok("POST", path, {"version": "7.0.0", "channel": "Stable"})
    one = workspace.issue("Concurrent", licenseName="One", maxActiveUsersCount=2)
    workspace.issue("Perpetual", licenseName="Endless")
    workspace.issue("Perpetual", licenseName="Boundless")
    go(page, listing(productId=workspace.product))
    for action, field, choice, name in (
        ("Apply policy", "Policy", "Team", "Apply the policy to 1 license"),
        ("Change release", "Release", "7.0.0 Stable (draft)", "Change the release of 3 licenses"),
    ):
        page.get_by_role("checkbox", name="Select all").check()
        page.get_by_role("button", name="More", exact=True).click()
        page.get_by_role("menuitem", name=action).click()
        pick(page, field, choice)
        if action == "Apply policy":
            skipped = (
                page.get_by_role("dialog").get_by_role("listitem").filter(has_text="policy is")
            )
            expect(skipped).to_have_count(1)
            expect(skipped).to_contain_text("Endless")
            expect(skipped).to_contain_text("Boundless")
        page.get_by_role("button", name=name).click()
        expect(page.get_by_role("status")).to_be_visible()
        page.get_by_role("button", name="Close").click()
        if action == "Apply policy":
            page.get_by_role("button", name="Clear selection").click()
    found = workspace.ok("GET", f"/api/licenses/{one['id']}")
    assert (found["policyId"], found["maxActiveUsersCount"]) == (policy["id"], 7)
    assert found["softwareReleaseId"] == release["id"]


def test_many_are_converted_and_those_that_lack_something_left_out(
    owner_page: Page, workspace: Workspace
) -> None:
    page = owner_page
    end = in_days(90)
    team = workspace.issue("Floating", licenseName="Team", expirationDate=end)
    trial = workspace.issue("Trial", licenseName="On trial")
    there = workspace.issue("Concurrent", licenseName="There", maxActiveUsersCount=9)
    go(page, listing(productId=workspace.product))
    page.get_by_role("checkbox", name="Select all").check()
    page.get_by_role("button", name="More", exact=True).click()
    page.get_by_role("menuitem", name="Convert").click()
    dialog = page.get_by_role("dialog")
    expect(dialog).to_contain_text(
        "There · customer@example.com, On trial · customer@example.com: "
        "Check expirationDate: is required"
    )
    pick(page, "Model", "Concurrent")
    expect(dialog.get_by_role("listitem")).to_have_count(3)
    expect(dialog).to_contain_text(
        "There · customer@example.com: Check type: must be another model"
    )
    dialog.get_by_label("Max active users").fill("3")
    examine(page, "licenses-bulk-convert", (LIGHT, PHONE))
    dialog.get_by_role("button", name="Convert 2 licenses").click()
    expect(page.get_by_role("status")).to_have_text("2 licenses converted, 1 failed.")

    def terms(made: Json) -> tuple[str, int, str | None]:
        found = workspace.ok("GET", f"/api/licenses/{made['id']}")
        return found["type"], found["maxActiveUsersCount"], found["expirationDate"]

    assert terms(team) == ("Concurrent", 3, team["expirationDate"])
    assert terms(trial) == ("Concurrent", 3, None)
    assert terms(there) == ("Concurrent", 9, there["expirationDate"])


def test_a_stopped_bulk_action_tells_what_was_done(owner_page: Page, workspace: Workspace) -> None:
    page = owner_page
    for number in range(3):
        workspace.issue("Perpetual", licenseName=f"License {number}")
    go(page, listing(productId=workspace.product))
    page.get_by_role("checkbox", name="Select all").check()
    page.get_by_role("button", name="Suspend", exact=True).click()
    held: list[Route] = []
    page.get_by_role("button", name="Suspend 3 licenses").wait_for()
    # Playwright marks the function, which a method of a list does not take.
    page.route("**/bulk?dryRun=false", lambda route: held.append(route))  # noqa: PLW0108
    page.get_by_role("button", name="Suspend 3 licenses").click()
    expect(page.get_by_text("0 of 3")).to_be_visible()
    page.get_by_role("button", name="Stop").click()
    held[0].continue_()
    expect(page.get_by_role("status")).to_have_text("3 licenses suspended.")
