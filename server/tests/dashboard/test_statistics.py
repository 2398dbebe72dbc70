"""Statistics show what the server counts, for the period and product in the address."""

import csv
import re
from pathlib import Path

import httpx
import pytest
from dashboard.accounts import execute
from dashboard.checks import examine
from dashboard.conftest import NewPage, signed_in
from dashboard.moving import go
from dashboard.vendor import Json, Workspace, furnish, in_days, open_workspace
from dashboard.watching import expecting
from e2e.process import Service
from playwright.sync_api import Locator, Page, expect

TABS = {
    "licenses": "/statistics",
    "renewals": "/statistics/renewals",
    "activations": "/statistics/activations",
    "sessions": "/statistics/sessions",
    "meter-usage": "/statistics/meter-usage",
    "telemetry": "/statistics/telemetry",
}

FIGURES = {
    "licenses": {"Licenses": "total", "Issued": "created"},
    "renewals": {"Renewed": "renewed", "Expired": "lapsed", "Ended": "churned"},
    "activations": {"Active devices": "active", "New": "created", "Pending approval": "pending"},
    "sessions": {"Live": "live", "Started": "started", "Limit reached": "limitReached"},
    "meter-usage": {"Credit-Based licenses": "meteredTokenLicenseCount"},
    "telemetry": {"Events": "events", "Devices": "devices"},
}


def open_tab(page: Page, kind: str, query: str = "") -> None:
    go(page, f"{TABS[kind]}{query}")
    for label in FIGURES[kind]:
        expect(figure(page, label)).to_contain_text(re.compile(r"\d"))


def figure(page: Page, label: str) -> Locator:
    return page.get_by_role("group", name=label, exact=True).get_by_role("paragraph").nth(1)


def shown(value: float) -> str:
    return f"{value:,.6f}".rstrip("0").rstrip(".")


def told(workspace: Workspace, kind: str, query: str) -> Json:
    of = f"institutionId={workspace.institution}&{query}"
    return dict(workspace.ok("GET", f"/api/statistics/{kind}?{of}"))


@pytest.fixture(scope="module")
def busy(owner: httpx.Client) -> Workspace:
    """A product with something in each chart."""
    workspace = open_workspace(owner)
    furnish(workspace)
    events = [{"name": "app.started", "occurredAt": in_days(-0.001)}]
    workspace.ask("/api/telemetry", workspace.licenses["Perpetual"], "Workstation", events=events)
    return workspace


def test_each_figure_is_what_the_server_says(owner_page: Page, busy: Workspace) -> None:
    query = f"productId={busy.product}"
    for kind, figures in FIGURES.items():
        open_tab(owner_page, kind, f"?{query}")
        answer = told(busy, kind, query)
        for label, field in figures.items():
            expect(figure(owner_page, label)).to_have_text(shown(answer[field]))
    usage = told(busy, "meter-usage", query)["byMode"]
    open_tab(owner_page, "meter-usage", f"?{query}")
    for mode, name in (("Token", "Credits"), ("Count", "Uses")):
        owner_page.get_by_role("button", name=name, exact=True).click()
        expect(figure(owner_page, "Balance")).to_have_text(shown(usage[mode]["totalBalance"]))
        expect(figure(owner_page, "Used")).to_have_text(shown(usage[mode]["consumption"]))
        features = owner_page.get_by_role("region", name="Most used features")
        expect(features).to_contain_text(usage[mode]["topFeatures"][0]["featureName"])


def test_sessions_at_once_stand_against_seats_and_devices_by_their_version(
    owner_page: Page, busy: Workspace
) -> None:
    page, query = owner_page, f"productId={busy.product}"
    open_tab(page, "sessions", f"?{query}")
    answer = told(busy, "concurrency", query)
    assert answer["peak"] > 0
    peak = page.get_by_role("region", name="Peak concurrency")
    expect(peak).to_contain_text(f"of {answer['seats']} seats")
    expect(peak).to_contain_text(f"Sessions at once {answer['peak']}")
    [fullest, *_] = answer["topLicenses"]
    ranking = page.get_by_role("region", name="Fullest licenses")
    expect(ranking.get_by_role("link", name=fullest["licenseName"], exact=True)).to_be_visible()
    expect(ranking).to_contain_text(f"{fullest['peak']} of {fullest['seatsTotal']} on")
    open_tab(page, "activations", f"?{query}")
    versions = page.get_by_role("region", name="Devices by version").get_by_role("listitem")
    listed = told(busy, "versions", query)["versions"]
    expect(versions).to_have_count(len(listed))
    expect(versions.first).to_contain_text(f"{max(one['devices'] for one in listed)}")


def test_a_figure_tells_its_change_against_the_period_before(
    owner_page: Page, busy: Workspace
) -> None:
    query = f"productId={busy.product}"
    open_tab(owner_page, "licenses", f"?{query}")
    [issued] = [
        one for one in told(busy, "comparison", query)["figures"] if one["name"] == "LicensesIssued"
    ]
    assert (issued["previous"], issued["value"] > 0) == (0, True)
    figures = owner_page.get_by_role("region", name="Key figures")
    expect(figures.get_by_role("group", name="Issued")).to_contain_text("Up from 0")


def test_a_year_says_what_its_rate_is_of_and_that_its_last_month_is_not_over(
    owner_page: Page, busy: Workspace
) -> None:
    query = f"?days=365&productId={busy.product}"
    open_tab(owner_page, "renewals", query)
    rate = owner_page.get_by_role("group", name="Renewal rate")
    expect(rate).to_contain_text(re.compile(r"\d of \d+ that came due"))
    chart = owner_page.get_by_role("region", name="Renewed and ended licenses")
    expect(chart).to_contain_text(re.compile(r"\w+ \d{4} is not over\."))
    chart.get_by_role("button", name="Show as table").click()
    expect(chart.get_by_role("columnheader", name="Month")).to_be_visible()
    expect(chart.get_by_role("row").nth(14)).to_be_hidden()
    chart.get_by_role("button", name="By day").click()
    expect(chart.get_by_role("row")).to_have_count(365 + 1)


def test_a_chart_is_a_table_and_a_file_as_well(
    owner_page: Page, busy: Workspace, tmp_path: Path
) -> None:
    query = f"productId={busy.product}"
    open_tab(owner_page, "licenses", f"?days=30&{query}")
    days = told(busy, "licenses", query)["dailyTrend"]
    section = owner_page.get_by_role("region", name="License activity", exact=True)
    issued = sum(day["created"] for day in days)
    expect(section.get_by_role("img")).to_have_attribute(
        "aria-label", re.compile(rf"Issued {issued}, Renewed 0, Converted 0, Revoked 1\.")
    )
    section.get_by_role("button", name="Show as table").click()
    rows = section.get_by_role("row")
    expect(rows).to_have_count(len(days) + 1)
    expect(rows.last.get_by_role("cell").first).to_have_text(str(days[-1]["created"]))
    with owner_page.expect_download() as saved:
        section.get_by_role("button", name=re.compile("^Download CSV")).click()
    path = tmp_path / "figures.csv"
    saved.value.save_as(path)
    with path.open(encoding="utf-8-sig", newline="") as file:
        [head, *lines] = csv.reader(file)
    assert head == ["Day", "Issued", "Renewed", "Converted", "Revoked"]
    fields = ("date", "created", "renewed", "converted", "revoked")
    assert lines == [[str(day[name]) for name in fields] for day in days]
    assert re.match(r"licenses-by-day-\d{4}-\d\d-\d\d-", saved.value.suggested_filename)


def test_the_filters_stay_on_other_tabs_after_a_reload_and_on_the_way_back(
    owner_page: Page, busy: Workspace
) -> None:
    open_tab(owner_page, "licenses")
    period = owner_page.get_by_role("group", name="Period")
    period.get_by_role("button", name="7 days").click()
    owner_page.get_by_role("combobox", name="Product").fill(busy.name)
    owner_page.get_by_role("option", name=busy.name, exact=True).click()
    address = re.compile(rf"\?days=7&productId={busy.product}$")
    expect(owner_page).to_have_url(address)
    owner_page.get_by_role("tab", name="Sessions").click()
    expect(owner_page).to_have_url(re.compile(rf"/sessions\?days=7&productId={busy.product}$"))
    expect(figure(owner_page, "Live")).to_have_text("2")
    owner_page.reload()
    expect(figure(owner_page, "Live")).to_have_text("2")
    expect(owner_page.get_by_role("combobox", name="Product")).to_have_value(busy.name)
    owner_page.go_back()
    expect(owner_page).to_have_url(address)
    owner_page.go_back()
    expect(owner_page).to_have_url(re.compile(r"\?days=7$"))
    owner_page.go_back()
    expect(owner_page).to_have_url(re.compile(r"/statistics$"))
    expect(period.get_by_role("button", name="90 days")).to_have_attribute("aria-pressed", "true")


def test_days_are_chosen_and_those_that_make_no_period_are_not_asked_for(
    owner_page: Page, busy: Workspace
) -> None:
    open_tab(owner_page, "licenses", f"?from=2020-01-01&to=2020-01-31&productId={busy.product}")
    expect(figure(owner_page, "Issued")).to_have_text("0")
    section = owner_page.get_by_role("region", name="License activity", exact=True)
    expect(section).to_contain_text("No licenses were issued")
    first_day = owner_page.get_by_label("From", exact=True)
    first_day.focus()
    first_day.press_sequentially("2/1/2020", delay=50)
    expect(first_day).to_have_value("2/1/2020")
    expect(owner_page.get_by_text("The start date is after the end date.")).to_be_visible()
    owner_page.get_by_label("To", exact=True).fill("2020-02-02")
    expect(figure(owner_page, "Issued")).to_have_text("0")


def test_an_institution_without_a_shop_is_told_to_connect_one(
    owner_page: Page, workspace: Workspace
) -> None:
    page = owner_page
    made = workspace.ok("POST", "/api/institutions", {"name": "Shopless"})
    page.add_init_script(
        f"localStorage.setItem('licet.institution', JSON.stringify('{made['id']}'))"
    )
    go(page, "/statistics/sales")
    expect(page.get_by_text("No sales yet")).to_be_visible()
    expect(page.get_by_role("region", name="Key figures")).to_have_count(0)
    page.get_by_role("link", name="Connect a shop").click()
    expect(page).to_have_url(re.compile("/connectors/new$"))


def test_a_member_with_single_releases_is_told_calmly(
    new_page: NewPage, workspace: Workspace
) -> None:
    person = workspace.member("Member")
    members = f"/api/institutions/{workspace.institution}/members"
    [member] = [
        item
        for item in workspace.ok("GET", f"{members}?pageSize=100")["items"]
        if item["email"] == person.email
    ]
    release = workspace.ok("GET", f"{workspace.path}/releases")["items"][0]
    body = {"role": "Member", "productIds": [], "releaseIds": [release["id"]]}
    workspace.ok("PUT", f"{members}/{member['userId']}", body)
    page = signed_in(new_page(), person.email)
    open_tab(page, "licenses")
    expect(figure(page, "Licenses")).to_have_text("0")
    with expecting(page, 403, path="/api/statistics/"):
        go(page, f"/statistics?productId={workspace.product}")
        expect(page.get_by_text("an Owner or Admin to assign the whole product")).to_be_visible()
    examine(page, "statistics-single-releases")


@pytest.mark.long
@pytest.mark.parametrize("kind", list(TABS))
def test_each_tab_is_well_on_every_screen(owner_page: Page, busy: Workspace, kind: str) -> None:
    open_tab(owner_page, kind, f"?productId={busy.product}")
    expect(owner_page.locator("[aria-busy=true]")).to_have_count(0)
    examine(owner_page, f"statistics-{kind}")


def lose_wallet(service: Service, license_: Json) -> None:
    execute(service, "DELETE FROM meter_wallets WHERE license_id = :id", id=license_["id"])


@pytest.mark.specification("mission-9")
def test_a_lost_wallet_is_found_with_progress_and_repaired(
    owner_page: Page, workspace: Workspace, service: Service
) -> None:
    page = owner_page
    lost, kept = [workspace.issue("MeteredCount", licenseName=name) for name in ("Lost", "Kept")]
    workspace.consume(lost, "scan", 3)
    balance = workspace.ok("GET", f"/api/meter/balance/{lost['id']}")["balance"]
    go(page, TABS["meter-usage"])
    section = page.get_by_role("region", name="Reconciliation")
    section.get_by_role("button", name="Check all wallets").click()
    expect(section.get_by_role("status")).to_contain_text("all match their ledgers")
    lose_wallet(service, lost)
    section.get_by_role("button", name="Check all wallets").click()
    expect(section.get_by_role("status")).to_contain_text("does not match")
    expect(section.get_by_role("link", name="Lost")).to_be_visible()
    expect(section).to_contain_text("Lost wallet")
    section.scroll_into_view_if_needed()
    examine(page, "statistics-reconciliation")
    section.get_by_role("button", name="Repair Lost").click()
    examine(page, "statistics-reconciliation-repair")
    page.get_by_role("button", name="Repair wallet").click()
    expect(section.get_by_role("status")).to_contain_text("all match their ledgers")
    assert workspace.ok("GET", f"/api/meter/balance/{lost['id']}")["balance"] == balance
    assert workspace.ok("GET", f"/api/meter/balance/{kept['id']}")["balance"] > 0
