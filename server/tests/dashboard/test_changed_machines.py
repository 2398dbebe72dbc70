"""Machines that change: recognized as a license says, shown with what changed, and accepted."""

import re

from dashboard.checks import examine
from dashboard.license_page import button, confirm, do, opened
from dashboard.vendor import Workspace
from devices.test_components import parts
from playwright.sync_api import Page, expect


def test_what_changed_of_a_device_is_shown_and_accepted(
    owner_page: Page, workspace: Workspace
) -> None:
    page = owner_page
    made = workspace.issue("Concurrent", maxActiveUsersCount=2)
    opened(page, made)
    dialog = do(page, "Edit")
    dialog.get_by_label("Recognition of devices").click()
    page.get_by_role("option", name="Also by 3 of 5 components").click()
    dialog.get_by_label("Proof of device keys").click()
    page.get_by_role("option", name="When present").click()
    dialog.get_by_label("A second device with the same hardware ID").click()
    page.get_by_role("option", name="Takes a seat of its own").click()
    confirm(dialog, "Save")
    page.get_by_text("Other terms").click()
    expect(page.get_by_text("Also by 3 of 5 components")).to_be_visible()
    expect(page.get_by_text("Takes a seat of its own")).to_be_visible()

    workspace.activate(made, "machine-1", components=parts())
    workspace.activate(made, "machine-2", components=parts(osInstall=1))
    opened(page, made, "activations")
    page.get_by_role("button", name=re.compile("Changed on")).click()
    details = page.get_by_role("dialog", name="machine-2")
    expect(details).to_contain_text("Installation of the system")
    expect(details).to_contain_text("Mainboard")
    expect(details).to_contain_text("As at the beginning")
    expect(details).to_contain_text("Hardware ID, Installation of the system")
    examine(page, "device-components")
    button(details, "Close").click()
    button(page, "Actions for machine-2").click()
    page.get_by_role("menuitem", name="Accept change").click()
    dialog = page.get_by_role("dialog")
    expect(dialog).to_contain_text("Do this only if you know that it is still the same device")
    confirm(dialog, "Accept change")
    opened(page, made, "events")
    expect(page.get_by_text("accepted the changes of machine-2")).to_be_visible()
    expect(page.get_by_text(re.compile("machine-1 has changed: Hardware ID"))).to_be_visible()
