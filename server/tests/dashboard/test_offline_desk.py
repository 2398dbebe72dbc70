"""The Offline desk: machines without a network ask by file, QR code or text, and are answered."""

import re
from pathlib import Path

from dashboard.browser import Chromium
from dashboard.checks import LIGHT, examine
from dashboard.conftest import NewPage, signed_in
from dashboard.license_page import button, confirm, opened
from dashboard.moving import go
from dashboard.offline_machine import claims_of, draw, film, offline_machine
from dashboard.vendor import Json, Workspace
from dashboard.watching import Watch, expecting
from e2e.process import Service
from playwright.sync_api import Locator, Page, expect

SELF_SERVICE, APPROVAL = ({"offlineActivation": name} for name in ("SelfService", "Approval"))
CUSTOMER = "offline@customers.example.com"


def bring(page: Page, request: str) -> None:
    """Open the desk as the QR code of a request does."""
    page.goto("/portal/access")
    page.goto(f"/o#{request}")
    expect(page.get_by_role("heading", name="Offline desk")).to_be_visible()


def write(place: Page | Locator, text: str) -> None:
    place.get_by_label("Request or release code").fill(text)
    button(place, "Continue").click()


def taken(page: Page, place: Page | Locator) -> Json:
    """What the license file says that is downloaded."""
    with page.expect_download() as download:
        button(place, "Download license.bin").click()
    assert download.value.suggested_filename == "license.bin"
    return claims_of(Path(download.value.path()).read_text())


def base_file(workspace: Workspace, license_: Json) -> Json:
    answer = workspace.owner.get(f"/api/licenses/{license_['id']}/file?byCode=true")
    return claims_of(answer.raise_for_status().text)


def seats(workspace: Workspace, license_: Json) -> int:
    return int(workspace.ok("GET", f"/api/licenses/{license_['id']}")["seatsUsed"])


def test_customer_activates_and_releases_a_machine(
    page: Page, workspace: Workspace, tmp_path: Path
) -> None:
    owned = workspace.issue("Concurrent", maxActiveUsersCount=2, **SELF_SERVICE)
    machine = offline_machine(workspace, owned, "Press 4", base=base_file(workspace, owned)["jti"])
    request = tmp_path / "aurora.licetreq"
    request.write_text(machine.sign())
    page.goto("/o")
    examine(page, "offline-desk")
    page.get_by_label("Choose file").set_input_files(request)
    facts = page.locator("dl")
    expect(facts).to_contain_text("Press 4")
    expect(facts).to_contain_text(owned["licenseName"])
    expect(facts).to_contain_text("0 of 2 in use")
    examine(page, "offline-preview")
    button(page, "Activate machine").click()
    groups = page.get_by_role("list", name="Groups of the answer code")
    expect(groups.get_by_role("listitem")).to_have_count(28)
    examine(page, "offline-answer")
    file = taken(page, page)
    assert file["hardwareIds"] == ["machine-Press 4"]
    assert file["request"]["seq"] == 1
    button(page, "Show as QR code").click()
    expect(page.get_by_role("img", name="QR code with the license file")).to_be_visible()
    examine(page, "offline-answer-qr")
    page.emulate_media(media="print")
    sheet = page.get_by_role("heading", name="Aurora", exact=False).last
    expect(sheet).to_contain_text("Press 4")
    expect(page.get_by_role("heading", name="Offline desk")).to_be_hidden()
    page.emulate_media(media="screen")

    page.reload()  # the request is in the address, and is answered the same again
    expect(page.get_by_text("The answer is always the same")).to_be_visible()
    button(page, "Show answer").click()
    assert taken(page, page)["jti"] == file["jti"]
    assert seats(workspace, owned) == 1

    bring(page, machine.sign("Release", file=file["jti"], base=None))
    expect(page.get_by_text("Its seat becomes free at once.")).to_be_visible()
    button(page, "Release machine").click()
    expect(page.get_by_text("The machine is released, and its seat is free.")).to_be_visible()
    assert seats(workspace, owned) == 0
    examine(page, "offline-released")


def test_request_waits_until_an_operator_decides(
    page: Page, new_page: NewPage, workspace: Workspace, owner_account: object
) -> None:
    owned = workspace.issue("NodeLocked", **APPROVAL)
    machine = offline_machine(workspace, owned, "Press 5")
    bring(page, machine.sign())
    expect(page.get_by_text("The vendor has to approve this request.")).to_be_visible()
    button(page, "Request approval").click()
    expect(page.get_by_text("This page checks automatically.")).to_be_visible()
    examine(page, "offline-waiting")

    operator = signed_in(new_page(), owner_account.email)  # type: ignore[attr-defined]
    opened(operator, owned, "activations")
    waiting = operator.get_by_role("alert").filter(has_text="Press 5 requests offline activation")
    examine(operator, "offline-requests-waiting")
    button(waiting, "Reject").click()
    dialog = operator.get_by_role("dialog")
    dialog.get_by_label("Reason").fill("Wrong plant")
    examine(operator, "offline-reject")
    confirm(dialog, "Reject request")
    expect(waiting).to_have_count(0)
    page.reload()
    expect(page.get_by_text("The vendor rejected this request: Wrong plant")).to_be_visible()

    button(operator, "Offline requests").click()
    row = operator.get_by_role("row", name=re.compile("Press 5"))
    expect(row).to_contain_text("Rejected")
    expect(row).to_contain_text("Wrong plant")
    examine(operator, "offline-requests")
    button(row, "Actions for Press 5").click()
    operator.get_by_role("menuitem", name="Undo rejection").click()
    confirm(operator.get_by_role("dialog"), "Approve request")
    expect(row).to_contain_text("Answered")
    page.reload()
    button(page, "Show answer").click()
    assert taken(page, page)["hardwareIds"] == ["machine-Press 5"]


def test_waiting_request_is_approved_on_home(
    page: Page, owner_page: Page, new_page: NewPage, workspace: Workspace
) -> None:
    machine = offline_machine(workspace, workspace.issue("Concurrent", **APPROVAL), "Press 6")
    visitor = new_page()
    bring(visitor, machine.sign())
    button(visitor, "Request approval").click()
    expect(visitor.get_by_text("This page checks automatically.")).to_be_visible()
    go(owner_page, "/")
    group = owner_page.get_by_role("region", name="Offline requests to approve")
    group.get_by_role("button", name="Approve Press 6").click()
    expect(owner_page.get_by_text("Request of Press 6 approved.")).to_be_visible()
    button(visitor, "Check again").click()
    expect(button(visitor, "Download license.bin")).to_be_visible()


def test_operator_answers_where_customers_cannot(owner_page: Page, workspace: Workspace) -> None:
    page, owned = owner_page, workspace.issue("Concurrent", maxActiveUsersCount=3)
    machine = offline_machine(workspace, owned, "Press 7")
    opened(page, owned, "activations")
    button(page, "Offline desk").click()
    dialog = page.get_by_role("dialog")
    examine(page, "offline-operator")
    write(dialog, machine.sign())
    expect(dialog).to_contain_text("ends with ress 7")
    button(dialog, "Activate machine").click()
    file = taken(page, dialog)
    assert file["hardwareIds"] == ["machine-Press 7"]
    examine(page, "offline-operator-answer")
    button(dialog, "Another request").click()
    typed = machine.release_code(file["jti"]).lower().replace("-", " \u2013 ")
    write(dialog, typed)
    button(dialog, "Release machine").click()
    expect(dialog.get_by_text("The machine is released, and its seat is free.")).to_be_visible()
    button(dialog, "Close").click()
    assert seats(workspace, owned) == 0
    button(page, "Offline requests").click()
    expect(page.get_by_role("row", name=re.compile("Press 7"))).to_contain_text("Released")


def test_what_is_no_request_is_refused_in_a_sentence(page: Page, workspace: Workspace) -> None:
    owned = workspace.issue("Concurrent")
    machine = offline_machine(workspace, owned, "Press 8")
    request = machine.sign()
    page.goto("/o")
    alert = page.get_by_role("alert")
    write(page, "Dear support,")
    expect(alert).to_contain_text("This is not an offline request")
    write(page, request.rpartition(".")[0])
    expect(alert).to_contain_text("only a part of one")
    code = machine.release_code("01920000-0000-7000-8000-0000000000e3")
    write(page, code[:13] + ("0" if code[13] != "0" else "1") + code[14:])
    expect(alert).to_contain_text("Group 3 is mistyped")
    write(page, code[:40])
    expect(alert).to_contain_text("A release code has 137 characters")
    with expecting(page, 404, path="/api/offline/requests"):
        write(page, request)
        expect(alert).to_contain_text("No license that offers offline activation was found")
    page.get_by_label("License key").fill(owned["licenseKey"])
    with expecting(page, 403, path="/api/offline/requests"):
        button(page, "Continue").click()
        expect(alert).to_contain_text("OfflineActivationNotAllowed")
    button(page, "Another request").click()
    with expecting(page, 400, path="/api/offline/requests"):
        write(page, f"{request[:-6]}AAAAAA")
        expect(alert).to_contain_text("InvalidRequest")


def test_desk_asks_for_the_key_that_a_request_does_not_name(
    page: Page, new_page: NewPage, workspace: Workspace
) -> None:
    owned = workspace.issue(
        "Perpetual", licenseKey="OLD-KEY-12345", issuedTo=CUSTOMER, **SELF_SERVICE
    )
    machine = offline_machine(workspace, owned, "Press 9")
    nameless = machine.sign(licenseKeyHash=None)
    bring(page, nameless)
    page.get_by_label("License key").fill("NO-SUCH-KEY-1")
    with expecting(page, 404, path="/api/offline/requests"):
        button(page, "Continue").click()
        expect(page.get_by_role("alert")).to_contain_text("LicenseNotFound")
    button(page, "Another license key").click()
    page.get_by_label("License key").fill("OLD-KEY-12345")
    examine(page, "offline-key")
    button(page, "Continue").click()
    expect(button(page, "Activate machine")).to_be_visible()

    customer = workspace.end_user(CUSTOMER)
    theirs = signed_in(new_page(), customer.email, customer.password)
    go(theirs, f"/portal/licenses/{owned['id']}")
    with theirs.expect_download() as base:
        button(theirs, "Download base file").click()
    assert claims_of(Path(base.value.path()).read_text())["codeKey"]["kty"] == "EC"
    examine(theirs, "offline-portal")
    theirs.get_by_role("link", name="Open Offline desk").click()
    write(theirs, nameless)  # the page of the license has brought its key along
    button(theirs, "Activate machine").click()
    expect(button(theirs, "Download license.bin")).to_be_visible()


def test_camera_reads_the_code_on_the_screen_of_a_machine(
    chromium: Chromium, service: Service, workspace: Workspace, tmp_path: Path
) -> None:
    machine = offline_machine(workspace, workspace.issue("Concurrent", **SELF_SERVICE), "Press 10")
    picture = draw(f"{service.address}/o#{machine.sign()}")
    with chromium.filming(film(picture, tmp_path / "seen.y4m")) as another:
        context = another.context(base_url=service.address, **LIGHT.options)
        page = context.new_page()
        watch = Watch(context, context.new_page())
        page.goto("/o")
        button(page, "Scan QR code").click()
        expect(page.locator("dl")).to_contain_text("Press 10")
        expect(page.locator("video")).to_have_count(0)
        watch.check()

        page.goto("/portal/access")
        page.goto("/o")  # a picture of the code does as well, such as one from a phone
        picture.save(tmp_path / "code.png")
        page.get_by_label("Choose file").set_input_files(tmp_path / "code.png")
        expect(page.locator("dl")).to_contain_text("Press 10")
        watch.check()


def test_without_a_camera_the_page_says_so(page: Page) -> None:
    page.goto("/o")
    button(page, "Scan QR code").click()
    expect(page.get_by_role("alert")).to_contain_text(re.compile("camera"))
    button(page, "Close camera").click()
    expect(page.get_by_role("alert")).to_have_count(0)
