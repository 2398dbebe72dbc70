"""Who is notified of what, in the app and by email, once."""

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import pytest
from catalog.factories import join
from events.factories import event_of, recorded_event
from events.factories import record as record_events
from licenses.reminder_log import put_back, remind
from notifications.inbox import Inbox, record
from sqlalchemy import text
from testkit import FakeClock, Owner
from world import Vendor, open_vendor

from licet_server.events.rules.model import RecordedEvent
from licet_server.identity.rules.memberships import Role
from licet_server.kit.ids import new_id
from licet_server.kit.origin import Origin
from licet_server.kit.platform import Platform
from licet_server.kit.unit_of_work import UnitOfWork
from licet_server.notifications.service.notifying import create_notifications
from licet_server.worker import dispatch_events

NewOwner = Callable[..., Any]


@pytest.fixture
def inbox(owner: Owner, platform: Platform) -> Inbox:
    return Inbox(owner, platform)


@pytest.fixture
async def vendor(owner: Owner) -> Vendor:
    return await open_vendor(owner)


# --- kinds -----------------------------------------------------------------------------------


@pytest.mark.specification("events.reminders")
async def test_an_expiry_notifies_before_and_after(
    vendor: Vendor, inbox: Inbox, platform: Platform, clock: FakeClock
) -> None:
    license_ = await vendor.issue(
        "Trial", licenseName="Northwind", expirationDate="2030-01-22T12:00:00Z"
    )
    await put_back(platform, license_["id"], 365)
    await remind(platform)
    [expiring] = await inbox.of_kind("LicenseExpiring")
    assert expiring["title"] == 'The license "Northwind" expires in 7 days'
    assert expiring["body"] == (
        'The license "Northwind" of "Aurora", issued to customer@example.com, ends on '
        "January 22, 2030 at 12:00 UTC. Extend its term to keep it active."
    )
    assert expiring["facts"] == {
        "event": "license.expiring",
        "license": "Northwind",
        "product": "Aurora",
        "institution": f"Institution of {vendor.owner.email}",
        "issuedTo": "customer@example.com",
        "daysLeft": 7,
        "expirationDate": "2030-01-22T12:00:00Z",
    }
    subject = (expiring["institutionId"], expiring["productId"], expiring["subjectId"])
    assert subject == (vendor.owner.institution_id, vendor.product["id"], license_["id"])
    assert (expiring["subjectKind"], expiring["readAt"]) == ("License", None)
    [mail] = await inbox.mails()
    assert mail.subject == expiring["title"]
    assert expiring["body"] in (mail.text or "")
    clock.advance(days=8)
    await remind(platform)
    await vendor.owner.sign_in()
    [expired] = await inbox.of_kind("LicenseExpired")
    assert expired["title"] == 'The license "Northwind" has expired'
    assert len(await inbox.mails()) == 1, "an expiry is not sent by email by default"


async def test_a_grace_notifies_at_the_end_of_the_term(
    vendor: Vendor, inbox: Inbox, platform: Platform, clock: FakeClock
) -> None:
    terms = {"type": "Subscription", "durationDays": 1, "graceDays": 7}
    body = {"productId": vendor.product["id"], "name": "Daily", **terms}
    policy = await vendor.owner.ok("POST", "/api/policies", body)
    body = {"policyId": policy["id"], "issuedTo": "customer@example.com"}
    await vendor.owner.ok("POST", "/api/licenses", body)
    clock.advance(days=2)
    await remind(platform)
    await vendor.owner.sign_in()
    [told] = await inbox.of_kind("LicenseExpiring")
    assert told["title"] == 'The term of the license "Daily" has ended'
    assert told["body"] == (
        'The term of the license "Daily" of "Aurora", issued to customer@example.com, ended on '
        "January 16, 2030 at 12:00 UTC. The license stays active until its grace ends on "
        "January 23, 2030 at 12:00 UTC. Extend its term to keep it active."
    )


@pytest.mark.specification("events.notifications")
async def test_new_and_pending_devices_notify(vendor: Vendor, inbox: Inbox) -> None:
    seats = await vendor.issue("Concurrent")
    await vendor.activate(seats, "machine-number-one", deviceName="Ann's laptop")
    waiting = await vendor.issue("NodeLocked", deviceBindingMode="OwnerApproval")
    await vendor.activate(waiting, "machine-number-two")
    pending, created = await inbox.of_kind("DeviceActivated")
    assert created["title"] == 'A device was activated under the license "A Concurrent license"'
    assert created["body"].startswith('The device "Ann\'s laptop" (mach…-one) now uses the license')
    assert pending["title"].startswith("A device is waiting for approval")
    assert "The device mach…-two wants" in pending["body"]
    assert pending["subjectId"] == waiting["id"]
    assert await inbox.mails() == []


@pytest.mark.specification("attempts.alert")
async def test_another_device_notifies_once_a_day(
    vendor: Vendor, inbox: Inbox, clock: FakeClock
) -> None:
    bound = await vendor.issue("NodeLocked", deviceBindingMode="AutoBind")
    await vendor.validate(bound, "machine-number-one")
    for hours in (0, 1, 6):
        clock.advance(hours=hours)
        for machine in ("a-foreign-machine", "another-foreign-one"):
            await vendor.validate(bound, machine)
            await vendor.activate(bound, machine)
    await vendor.owner.sign_in()
    assert len(await inbox.of_kind("AccessAttempt")) == 2
    clock.advance(days=1)
    await vendor.validate(bound, "a-foreign-machine")
    await vendor.owner.sign_in()
    third, *_ = found = await inbox.of_kind("AccessAttempt")
    assert len(found) == 3
    assert "The device a-fo…hine tried to use" in third["body"]
    assert "a-foreign-machine" not in str(found)
    assert len(await inbox.mails()) == 2, "the two of the first day share an email"


async def test_low_and_empty_balances_notify(owner: Owner, inbox: Inbox) -> None:
    meters = await open_vendor(owner)
    license_ = await meters.issue("MeteredCount", initialMeterBalance=10)
    await meters.warn_at(license_, 5)
    await meters.consumed(license_, quantity=6)
    await meters.consumed(license_, quantity=4)
    empty, low = await inbox.of_kind("LowBalance")
    assert low["title"] == 'The balance of the license "A MeteredCount license" is low'
    assert "has 4 left; the threshold is 5. Grant more" in low["body"]
    assert (low["facts"]["balance"], low["facts"]["threshold"]) == (4, 5)
    assert empty["title"].endswith("is used up")


async def test_a_disabled_webhook_is_named_by_its_host_only(
    owner: Owner, inbox: Inbox, platform: Platform
) -> None:
    url = "https://user:pw@hooks.example.com/services/secret?token=secret"
    await record(platform, owner, ("webhook.disabled", {"url": url}))
    [notification] = await inbox.notifications()
    assert (notification["kind"], notification["subjectKind"]) == ("WebhookDisabled", "Webhook")
    assert notification["title"] == "A webhook to hooks.example.com was disabled"
    assert "secret" not in str(notification)
    assert len(await inbox.mails()) == 1


async def test_a_new_member_notifies_the_others(
    owner: Owner, stranger: Owner, platform: Platform, inbox: Inbox
) -> None:
    await join(platform, owner, stranger, Role.ADMIN)
    data = {"email": stranger.email, "fullName": "Ann", "role": "Admin"}
    await record_events(platform, event_of(owner, "member.joined", data, stranger.user_id))
    [notification] = await inbox.notifications()
    assert notification["title"] == f'"Ann" joined "Institution of {owner.email}"'
    assert f"({stranger.email}) is now a member of" in notification["body"]
    assert notification["subjectKind"] == "Member"
    assert await Inbox(stranger, platform).notifications() == []


async def test_an_invitation_notifies_the_invited_user_alone(
    owner: Owner, stranger: Owner, platform: Platform, inbox: Inbox
) -> None:
    data = {"email": stranger.email.upper(), "role": "Viewer"}
    await record(platform, owner, ("member.invited", data))
    [notification] = await Inbox(stranger, platform).notifications()
    assert notification["title"] == f'You are invited to "Institution of {owner.email}"'
    assert (notification["kind"], notification["subjectKind"]) == ("Invitation", "Invitation")
    assert await inbox.notifications() == []


async def test_deleted_institution_does_not_block_notifications(
    owner: Owner, stranger: Owner, platform: Platform, inbox: Inbox
) -> None:
    await stranger.ok("DELETE", f"/api/institutions/{stranger.institution_id}")
    invited = {"email": owner.email, "role": "Viewer"}
    await record(platform, stranger, ("member.invited", invited))
    await record(platform, owner, ("webhook.disabled", {"url": "https://example.com"}))
    [notification] = await inbox.notifications()
    assert notification["kind"] == "WebhookDisabled"


async def test_an_invitation_does_not_notify_an_unverified_address(
    owner: Owner, stranger: Owner, platform: Platform
) -> None:
    await remove_verification(platform, stranger)
    await record(platform, owner, ("member.invited", {"email": stranger.email}))
    assert await Inbox(stranger, platform).notifications() == []


@pytest.mark.parametrize(
    "data",
    [
        {},
        {"email": None},
        {"email": 5, "role": []},
        {"daysLeft": "x", "expirationDate": 7},
        {"url": "https://[broken"},
        {"licenseId": "no id"},
        {"licenseName": ""},
    ],
)
async def test_events_of_another_release_break_nothing(
    owner: Owner, platform: Platform, inbox: Inbox, data: dict[str, Any]
) -> None:
    kinds = ["license.expiring", "license.expired", "activation.created", "activation.pending"]
    kinds += ["access_attempt.detected", "meter.low_balance", "meter.depleted"]
    kinds += ["webhook.disabled", "member.invited", "member.joined"]
    await record(platform, owner, *((kind, data) for kind in kinds))
    found = await inbox.notifications()
    assert len(found) == len(kinds) - 1, "no invited user was named"
    assert all(item["title"] and item["body"].endswith(".") for item in found)


# --- whom ------------------------------------------------------------------------------------


async def test_only_owners_and_admins_are_notified(
    owner: Owner, new_owner: NewOwner, platform: Platform
) -> None:
    people = {}
    for role in Role:
        people[role] = await new_owner(role)
        await join(platform, owner, people[role], role)
    outsider = await new_owner("Outsider")
    await record(platform, owner, ("webhook.disabled", {}))
    for role, user in people.items():
        count = len(await Inbox(user, platform).notifications())
        assert count == int(role in {Role.OWNER, Role.ADMIN}), role
    assert await Inbox(outsider, platform).notifications() == []


async def test_users_who_lost_their_role_see_nothing(
    owner: Owner, new_owner: NewOwner, platform: Platform
) -> None:
    user = await new_owner("Former")
    await join(platform, owner, user, Role.ADMIN)
    await record(platform, owner, ("webhook.disabled", {}))
    inbox = Inbox(user, platform)
    [notification] = await inbox.notifications()
    for change in (
        "UPDATE memberships SET role = 'Viewer' WHERE user_id = :id AND institution_id = :at",
        "DELETE FROM memberships WHERE user_id = :id AND institution_id = :at",
    ):
        async with platform.database.transaction() as db:
            await db.execute(text(change), {"id": user.user_id, "at": owner.institution_id})
        assert await inbox.notifications() == []
        assert await inbox.unread() == 0
        answer = await user.send("POST", f"/api/notifications/{notification['id']}/read")
        assert answer.status_code == 404


async def test_email_goes_to_verified_addresses_only(
    owner: Owner, platform: Platform, inbox: Inbox
) -> None:
    await remove_verification(platform, owner)
    await record(platform, owner, ("webhook.disabled", {}))
    assert len(await inbox.notifications()) == 1
    assert await inbox.mails() == []


async def remove_verification(platform: Platform, user: Owner) -> None:
    async with platform.database.transaction() as db:
        await db.execute(
            text("UPDATE users SET email_verified_at = NULL WHERE id = :id"),
            {"id": user.user_id},
        )


# --- once ------------------------------------------------------------------------------------


async def test_crash_notifies_no_one_and_retry_notifies_once(
    owner: Owner, platform: Platform, inbox: Inbox, monkeypatch: pytest.MonkeyPatch
) -> None:
    await dispatch_events(platform)
    await record(platform, owner, ("webhook.disabled", {}), ("meter.depleted", {}))

    async def notify_and_die(work: UnitOfWork, events: Sequence[RecordedEvent]) -> None:
        await create_notifications(work, events)
        raise OSError("the process died")

    with monkeypatch.context() as patch:
        patch.setattr("licet_server.worker.SUBSCRIBERS", (notify_and_die,))
        for _ in range(3):
            with pytest.raises(OSError, match="died"):
                await dispatch_events(platform)
    listed = (await owner.ok("GET", "/api/notifications"))["items"]
    assert listed == []
    assert len(await inbox.notifications()) == 2
    assert len(await inbox.mails()) == 2


async def test_several_processes_notify_of_each_event_once(
    owner: Owner, platform: Platform, inbox: Inbox
) -> None:
    kinds = [("webhook.disabled", {"url": f"https://{n}.example.com"}) for n in range(60)]
    await record(platform, owner, *kinds)
    await asyncio.gather(*(dispatch_events(platform) for _ in range(4)))
    assert len(await inbox.notifications()) == 60


async def test_an_event_dispatched_again_does_not_notify_again(
    owner: Owner, platform: Platform, inbox: Inbox
) -> None:
    """Besides the mark on the event, a unique constraint ensures it."""
    event = recorded_event(platform, owner, "meter.depleted")
    other = replace(event, id=new_id(platform.clock()))
    for events in ([event], [event, other], [other]):
        async with platform.unit_of_work(Origin()) as work:
            await create_notifications(work, events)
    assert len(await inbox.notifications()) == 2


async def test_many_events_share_one_email(owner: Owner, platform: Platform, inbox: Inbox) -> None:
    await dispatch_events(platform)
    hosts = [f"host{n}.example.com" for n in range(27)]
    urls = [("webhook.disabled", {"url": f"https://{host}/"}) for host in hosts]
    await record(platform, owner, *urls, ("meter.depleted", {}))
    mails = {mail.subject: mail.text or "" for mail in await inbox.mails()}
    assert set(mails) == {
        "27 webhooks were disabled",
        "The balance of a deleted license is used up",
    }
    said = mails["27 webhooks were disabled"]
    assert [host in said for host in hosts] == [True] * 20 + [False] * 7
    assert "And 7 more." in said
    assert f"\n{platform.settings.address}/notifications\n" in said


@pytest.mark.specification("attempts.masked")
async def test_no_notification_or_email_has_a_whole_hardware_id(
    vendor: Vendor, inbox: Inbox
) -> None:
    bound = await vendor.issue("NodeLocked")
    waiting = await vendor.issue("NodeLocked", deviceBindingMode="OwnerApproval")
    both = {"inApp": True, "email": True}
    kinds = {"AccessAttempt": both, "DeviceActivated": both}
    await vendor.owner.ok("PUT", "/api/notifications/preferences", kinds)
    machines = ("the-machine-it-is-bound-to", "a-foreign-machine")
    for license_ in (bound, waiting):
        for machine in machines:
            await vendor.validate(license_, machine)
    found = await inbox.notifications()
    assert {item["kind"] for item in found} == kinds.keys()
    mailed = " ".join(f"{mail.subject} {mail.text}" for mail in await inbox.mails())
    for text_ in (str(found), mailed):
        assert "a-fo…hine" in text_
        assert not [machine for machine in machines if machine in text_]
