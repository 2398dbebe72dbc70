"""The event catalog is total: everything that follows from a kind of event is in one place."""

import re
from pathlib import Path

import msgspec
from msgspec.structs import fields

from licet_server.events.rules.kinds import (
    ADMINS_ONLY,
    DELIVERED,
    NOTIFICATIONS,
    SUBJECTS,
    SUBJECTS_OF_KINDS,
    EventKind,
    NotificationKind,
    SubjectKind,
    license_id,
    subject_name,
)
from licet_server.kit.clock import system_clock
from licet_server.kit.ids import new_id
from licet_server.notifications.rules.model import WORDING, notification_subject
from licet_server.notifications.schemas import PreferencesChange, PreferencesView
from licet_server.notifications.service.notifying import SUBJECTS as EMAIL_SUBJECTS
from licet_server.webhooks.rules import SUBSCRIBABLE, family_of

ROOT = Path(__file__).parents[3]
SOURCE = ROOT / "server/src/licet_server"


def test_every_kind_has_a_subject_and_every_subject_its_traits() -> None:
    assert list(SUBJECTS_OF_KINDS) == list(EventKind)
    assert set(SUBJECTS) == set(SUBJECTS_OF_KINDS.values()) == set(SubjectKind)


def test_a_family_is_for_admins_only_as_a_whole() -> None:
    hidden = {kind for kind in EventKind if kind.partition(".")[0] in ADMINS_ONLY}
    private = {kind for kind, item in SUBJECTS_OF_KINDS.items() if SUBJECTS[item].admins_only}
    # These are about a license, and go with the devices and sessions that they tell of.
    assert hidden - private == {
        EventKind.ACTIVATION_LIMIT_REACHED,
        EventKind.ACTIVATION_OFFLINE_REQUESTED,
        EventKind.ACTIVATION_OFFLINE_ANSWERED,
        EventKind.ACTIVATION_OFFLINE_REJECTED,
        EventKind.SESSION_LIMIT_REACHED,
    }
    assert private <= hidden


def test_every_kind_is_recorded_somewhere() -> None:
    text = "\n".join(
        path.read_text() for path in SOURCE.rglob("*.py") if "events/rules" not in path.as_posix()
    )
    assert [kind.name for kind in EventKind if f"EventKind.{kind.name}" not in text] == []


def test_no_kind_is_written_as_text() -> None:
    """Shops have names of their own for their events, some of which are the same."""
    shops = SOURCE / "connectors/rules"
    found = [
        f"{path.relative_to(SOURCE)}: {kind}"
        for path in SOURCE.rglob("*.py")
        if path.name != "kinds.py" and "migrations" not in path.parts and path.parent != shops
        for kind in EventKind
        if f'"{kind}"' in path.read_text()
    ]
    assert found == []


def test_notifications_have_their_wording_everywhere() -> None:
    assert set(WORDING) == set(NOTIFICATIONS)
    shown = (ROOT / "dashboard/src/notifications/sentences.ts").read_text()
    assert set(re.findall(r'^  "([a-z_.]+)": ', shown, re.MULTILINE)) == set(NOTIFICATIONS)
    assert set(NOTIFICATIONS.values()) == set(EMAIL_SUBJECTS) == set(NotificationKind)
    for kind in NOTIFICATIONS:
        assert notification_subject(kind)
    for shape in (PreferencesView, PreferencesChange):
        names = {field.encode_name for field in fields(shape)}
        assert names == {kind.value for kind in NotificationKind}


def test_the_documentation_and_the_dashboard_describe_the_delivered_kinds() -> None:
    page = (ROOT / "docs/webhooks.md").read_text()
    rows = re.findall(r"^\| `(\w+\.\w+)` \| (.+) \|$", page, re.MULTILINE)
    shown = (ROOT / "dashboard/src/webhooks/deliveredKinds.ts").read_text()
    described = re.findall(r'^  "(\w+\.\w+)": t`(.+)`,$', shown, re.MULTILINE)
    assert rows == described == list(DELIVERED.items()), "run `make openapi`"


def test_the_openapi_document_lists_the_kinds() -> None:
    document = msgspec.json.decode((ROOT / "docs/openapi.json").read_bytes())
    schemas = document["components"]["schemas"]
    assert schemas["EventKind"]["enum"] == [kind.value for kind in EventKind]
    assert schemas["NotificationKind"]["enum"] == [kind.value for kind in NotificationKind]
    assert schemas["WebhookEventType"]["enum"] == list(SUBSCRIBABLE)
    assert {"*", "webhook.test", *map(family_of, DELIVERED), *DELIVERED} <= set(SUBSCRIBABLE)


def test_the_license_of_an_event_is_its_subject_or_in_its_data() -> None:
    subject, license_ = (new_id(system_clock()) for _ in range(2))
    data = {"licenseId": license_, "deviceName": "Studio PC", "name": "other"}
    assert license_id(EventKind.ACTIVATION_CREATED, subject, data) == license_
    assert license_id(EventKind.ACTIVATION_LIMIT_REACHED, subject, data) == subject
    assert license_id(EventKind.METER_GRANTED, subject, data) == subject
    assert license_id(EventKind.PRODUCT_CREATED, subject, data) is None
    assert license_id(EventKind.SESSION_STARTED, subject, {}) is None
    assert subject_name(EventKind.ACTIVATION_CREATED, data) == "Studio PC"
    assert subject_name(EventKind.PRODUCT_CREATED, data) == "other"
    assert subject_name(EventKind.WEBHOOK_CREATED, data) is None


def test_kinds_of_a_newer_release_are_read_and_concern_nothing_known() -> None:
    kind = EventKind("quantum.entangled")
    assert kind == "quantum.entangled"
    assert kind not in SUBJECTS_OF_KINDS
    assert kind not in list(EventKind)
    assert subject_name(kind, {"name": "x"}) is None
    assert license_id(kind, new_id(system_clock()), {"licenseId": "x"}) is None
