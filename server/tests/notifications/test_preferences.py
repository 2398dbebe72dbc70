"""Users choose which notifications they receive, and how."""

from typing import Any

import pytest
from catalog.factories import bad_fields
from events.factories import event_of, record
from msgspec.structs import fields
from notifications.inbox import Inbox
from testkit import Owner

from licet_server.events.rules.kinds import NotificationKind
from licet_server.kit.platform import Platform
from licet_server.notifications.schemas import PreferencesChange, PreferencesView

PATH = "/api/notifications/preferences"
MAILED = {"LicenseExpiring", "AccessAttempt", "LowBalance", "WebhookDisabled", "MailFailed"}
MAILED |= {"ConnectorRejected"}
DEFAULT = {kind.value: {"inApp": True, "email": kind.value in MAILED} for kind in NotificationKind}


def test_every_kind_is_a_field_of_preferences() -> None:
    kinds = {kind.value for kind in NotificationKind}
    for shape in (PreferencesView, PreferencesChange):
        assert {field.encode_name for field in fields(shape)} == kinds


async def test_the_defaults_show_everything_and_email_what_is_urgent(owner: Owner) -> None:
    assert await owner.ok("GET", PATH) == DEFAULT


async def test_omitted_kinds_and_channels_do_not_change(owner: Owner, stranger: Owner) -> None:
    wanted: dict[str, Any] = {**DEFAULT}
    for change, result in (
        ({"LowBalance": {"email": False}}, {"inApp": True, "email": False}),
        ({"LowBalance": {"inApp": False}}, {"inApp": False, "email": False}),
        ({"LowBalance": {}}, {"inApp": False, "email": False}),
        ({"LowBalance": {"email": True}}, {"inApp": False, "email": True}),
    ):
        wanted["LowBalance"] = result
        assert await owner.ok("PUT", PATH, change) == wanted
    many = {kind: {"inApp": True, "email": True} for kind in DEFAULT}
    assert await owner.ok("PUT", PATH, many) == many
    assert await owner.ok("PUT", PATH, {}) == many
    assert await stranger.ok("GET", PATH) == DEFAULT


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({"Unknown": {"email": True}}, "Unknown"),
        ({"lowBalance": {"email": True}}, "lowBalance"),
        ({"LowBalance": {"sms": True}}, "LowBalance.sms"),
        ({"LowBalance": {"email": "yes"}}, "LowBalance.email"),
        ({"LowBalance": {"email": None}}, "LowBalance.email"),
        ({"LowBalance": None}, "LowBalance"),
    ],
)
async def test_unknown_kinds_and_channels_are_bad_fields(
    owner: Owner, body: dict[str, Any], field: str
) -> None:
    assert bad_fields(await owner.send("PUT", PATH, body)) == [field]


@pytest.mark.specification("events.notifications")
async def test_channels_are_independent(owner: Owner, platform: Platform) -> None:
    inbox = Inbox(owner, platform)
    expected = 0, 0
    for in_app, email in ((True, True), (False, True), (True, False), (False, False)):
        await owner.ok("PUT", PATH, {"LowBalance": {"inApp": in_app, "email": email}})
        await record(platform, event_of(owner, "meter.depleted"))
        expected = expected[0] + in_app, expected[1] + email
        assert (len(await inbox.notifications()), len(await inbox.mails())) == expected


async def test_an_api_key_has_no_notifications(owner: Owner) -> None:
    made = await owner.ok("POST", "/api/api-keys", {"name": "CI", "scopes": ["Licenses.Read"]})
    headers = {"authorization": f"Bearer {made['secret']}"}
    for path in ("", "/unread-count", "/preferences", "/stream"):
        answer = await owner.client.get(f"/api/notifications{path}", headers=headers)
        assert answer.status_code == 403, path
