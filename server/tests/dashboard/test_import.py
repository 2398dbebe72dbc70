"""The page that imports licenses from a CSV file."""

import re
from pathlib import Path

from dashboard.moving import go
from dashboard.vendor import Workspace
from playwright.sync_api import Page, Route, expect

FILE = """Serial;Customer email;Machines;Color
OLD-KEY-0001;ada@zenith.example.com;pc-1 pc-2;red
;bob@zenith.example.com;;blue
OLD-KEY-0003;carl@zenith.example.com;;green
"""


def test_csv_file_is_checked_and_imported(
    owner_page: Page, workspace: Workspace, tmp_path: Path
) -> None:
    page = owner_page
    file = tmp_path / "licenses.csv"
    file.write_text(FILE)
    go(page, f"/licenses/import?productId={workspace.product}")
    page.get_by_label("CSV file").set_input_files(file)
    columns = page.get_by_role("table", name="Columns")
    expect(columns.get_by_role("row", name="Serial")).to_contain_text("License key")
    expect(columns.get_by_role("row", name="Color")).to_contain_text("Not imported")
    columns.get_by_role("combobox", name="Becomes: Customer email").click()
    page.get_by_role("option", name="Issued to").click()
    columns.get_by_role("combobox", name="Becomes: Color").click()
    page.get_by_role("option", name="Metadata “Color”").click()
    page.get_by_role("button", name="Check", exact=True).click()
    outcome = page.get_by_role("region", name="Import", exact=True)
    expect(outcome.get_by_role("status")).to_contain_text("2 licenses with 0 devices would be")
    expect(outcome).to_contain_text("Row 3: License key is missing")
    columns.get_by_role("combobox", name="Becomes: Machines").click()
    page.get_by_role("option", name="Devices", exact=True).click()
    expect(outcome.get_by_role("status")).to_have_count(0)
    page.get_by_role("button", name="Check", exact=True).click()
    page.get_by_role("button", name="Import 2 licenses").click()
    expect(outcome.get_by_role("status")).to_have_text("2 licenses with 2 devices imported.")
    [found] = workspace.ok(
        "GET", f"/api/licenses?productId={workspace.product}&search=OLD-KEY-0001"
    )["items"]
    assert (found["issuedTo"], found["metadata"]) == ("ada@zenith.example.com", {"Color": "red"})


def test_files_that_cannot_be_read_say_why_and_others_are_read_as_they_were_written(
    owner_page: Page, workspace: Workspace, tmp_path: Path
) -> None:
    page = owner_page
    go(page, f"/licenses/import?productId={workspace.product}")

    def choose(content: bytes) -> None:
        file = tmp_path / "file.csv"
        file.write_bytes(content)
        page.get_by_label("CSV file").set_input_files(file)

    fault = page.get_by_role("region", name="File and product").get_by_role("alert")
    choose(b"key,email\n")
    expect(fault).to_contain_text("no rows below the names")
    choose(bytes(range(256)) * 20)
    expect(fault).to_contain_text("not a text file")
    choose(b'key,notes\nOLD-1,fine\nOLD-2,"never closed\nOLD-3,lost\n')
    expect(fault).to_contain_text("The quotation mark in row 3 is never closed")
    columns = page.get_by_role("table", name="Columns")
    expect(columns).to_have_count(0)
    for encoding in ("cp1252", "utf-16", "utf-8-sig"):
        choose(f"key;name\nOLD-1;J\u00fcrgen ({encoding})\n".encode(encoding))
        expect(columns.get_by_role("row", name="name")).to_contain_text(f"J\u00fcrgen ({encoding})")
        expect(columns.get_by_role("row", name="key")).to_contain_text("License key")
    expect(fault).to_have_count(0)


def test_import_that_was_stopped_goes_on_where_it_stood(
    owner_page: Page, workspace: Workspace, tmp_path: Path
) -> None:
    page = owner_page
    file = tmp_path / "licenses.csv"
    file.write_text("key,name\n" + "".join(f"OLD-{n:04},Old {n}\n" for n in range(450)))
    go(page, f"/licenses/import?productId={workspace.product}")
    page.get_by_label("CSV file").set_input_files(file)
    page.get_by_role("button", name="Check", exact=True).click()
    asked: list[Route] = []
    imports = re.compile(r"/import\?dryRun=false$")

    def hold(route: Route) -> None:
        if asked:
            route.continue_()
        else:
            asked.append(route)

    page.route(imports, hold)
    with page.expect_request(imports):
        page.get_by_role("button", name="Import 450 licenses").click()
    page.get_by_role("button", name="Stop").click()
    asked[0].continue_()
    outcome = page.get_by_role("region", name="Import", exact=True)
    expect(outcome.get_by_role("status")).to_contain_text("Stopped after 200 of 450 rows.")
    page.get_by_role("button", name="Continue").click()
    expect(outcome.get_by_role("status")).to_have_text("250 licenses with 0 devices imported.")
    expect(outcome).to_contain_text("200 licenses are already there")
