"""Notifications and emails about events, created in the transaction that dispatches them."""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, fields
from uuid import UUID

from licet_server.catalog.reading import product_names, test_products
from licet_server.customers.rules.personal_data import DataSubject
from licet_server.events.rules.kinds import NOTIFICATIONS, EventKind, NotificationKind
from licet_server.events.rules.model import RecordedEvent
from licet_server.identity.rules.memberships import Role
from licet_server.identity.service.users import fetch_user
from licet_server.institutions.rules.members import Recipient
from licet_server.institutions.service import operators
from licet_server.institutions.service.institutions import institution_names, time_zones
from licet_server.kit import mail
from licet_server.kit.database import Connection
from licet_server.kit.mail import Email
from licet_server.kit.personal import Counts, Exported
from licet_server.kit.unit_of_work import UnitOfWork
from licet_server.kit.visibility import Visibility
from licet_server.licenses.service import reading as licenses
from licet_server.notifications import storage
from licet_server.notifications.rules.facts import Names, unnamed_license
from licet_server.notifications.rules.model import (
    Notice,
    NoticeContent,
    Notification,
    channels_of,
    notice_of,
)

MAX_LISTED = 20
"""The number of notices listed in full; the others are counted."""

SUBJECTS: Mapping[NotificationKind, str] = {
    NotificationKind.LICENSE_EXPIRING: "{} licenses expire soon",
    NotificationKind.LICENSE_EXPIRED: "{} licenses have expired",
    NotificationKind.DEVICE_ACTIVATED: "{} new devices",
    NotificationKind.ACCESS_ATTEMPT: "{} access attempts from other devices",
    NotificationKind.LOW_BALANCE: "{} balances are low",
    NotificationKind.WEBHOOK_DISABLED: "{} webhooks were disabled",
    NotificationKind.CONNECTOR_REJECTED: "{} connectors reject the messages of their shops",
    NotificationKind.MAIL_FAILED: "{} emails to customers have failed",
    NotificationKind.INVITATION: "{} invitations",
}


def email_about(
    recipient: str, kind: NotificationKind, notices: Sequence[Notice], address: str
) -> Email:
    """Return an email about notices of one kind, with a link to the dashboard at `address`."""
    subject = notices[0].title if len(notices) == 1 else SUBJECTS[kind].format(len(notices))
    listed = [notice.body for notice in notices[:MAX_LISTED]]
    if len(notices) > MAX_LISTED:
        listed.append(f"And {len(notices) - MAX_LISTED} more.")
    return Email(
        recipient,
        subject,
        (
            *listed,
            "See the details, and choose which notifications you receive by email:",
            f"{address}/notifications",
        ),
    )


_NOTIFIED = (Role.OWNER, Role.ADMIN)


@dataclass(frozen=True, slots=True)
class _Addressed:
    """A notice with one of its recipients."""

    recipient: Recipient
    notice: Notice


async def create_notifications(work: UnitOfWork, events: Sequence[RecordedEvent]) -> None:
    """Notify Owners and Admins of events in their institutions, by the channels they chose.

    Those of Test products notify nobody.
    Events of one kind that are dispatched together share one email. This is an event subscriber.
    """
    relevant = [event for event in events if _is_relevant(event)]
    if not relevant:
        return
    tests = await test_products(work.db, list({event.institution_id for event in relevant}))
    relevant = [event for event in relevant if event.product_id not in tests]
    names = await _fetch_names(work.db, relevant)
    # An institution that was deleted meanwhile has no name, and its invitations are gone.
    relevant = [event for event in relevant if event.institution_id in names.institutions]
    addressed = await _address(work.db, [notice_of(event, names) for event in relevant])
    users = {item.recipient.user_id for item in addressed}
    chosen = await storage.fetch_choices(work.db, users)
    in_app: list[_Addressed] = []
    emailed: dict[tuple[str, NotificationKind], list[Notice]] = defaultdict(list)
    for item in addressed:
        recipient, kind = item.recipient, item.notice.kind
        channels = channels_of(kind, chosen.get((recipient.user_id, kind)))
        if channels.in_app:
            in_app.append(item)
        if channels.email and recipient.email_verified:
            emailed[recipient.email, kind].append(item.notice)
    await storage.insert_notifications(work.db, [_notification(work, item) for item in in_app])
    for (email, kind), notices in emailed.items():
        await mail.write(work, email_about(email, kind, notices, work.address))


def _is_relevant(event: RecordedEvent) -> bool:
    """Check whether anyone is notified.

    Not of devices that are imported with their licenses, and of rejected messages of a shop only
    when there are several in a row.
    """
    is_imported = event.kind is EventKind.ACTIVATION_CREATED and event.actor_kind == "Console"
    is_early = event.kind is EventKind.CONNECTOR_REJECTED and not event.data.get("isRepeated")
    return event.kind in NOTIFICATIONS and not is_imported and not is_early


async def _fetch_names(db: Connection, events: Sequence[RecordedEvent]) -> Names:
    institutions = {event.institution_id for event in events}
    unnamed = {item for event in events if (item := unnamed_license(event)) is not None}
    found = await licenses.find_by_ids(db, Visibility(tuple(institutions)), list(unnamed))
    products = {
        (event.institution_id, event.product_id) for event in events if event.product_id is not None
    }
    return Names(
        licenses={item.id: item.license_name for item in found.values()},
        products=await product_names(db, list(products)),
        institutions=await institution_names(db, institutions),
        zones=await time_zones(db, institutions),
    )


async def _address(db: Connection, notices: Sequence[Notice]) -> list[_Addressed]:
    institutions = {item.institution_id for item in notices if item.only_email is None}
    administrators = await operators.find_recipients(db, institutions, _NOTIFIED)
    emails = {item.only_email for item in notices if item.only_email}
    named = {user.email.lower(): user for user in await operators.find_verified_users(db, emails)}

    def addressed() -> Iterator[_Addressed]:
        for notice in notices:
            if notice.only_email is None:
                for recipient in administrators:
                    if _receives(recipient, notice):
                        yield _Addressed(recipient, notice)
            elif (user := named.get(notice.only_email)) is not None:
                yield _Addressed(
                    Recipient(notice.institution_id, user.id, user.email, True), notice
                )

    return list(addressed())


def _receives(recipient: Recipient, notice: Notice) -> bool:
    is_there = recipient.institution_id == notice.institution_id
    return is_there and recipient.user_id != notice.except_user


def _notification(work: UnitOfWork, item: _Addressed) -> tuple[Notification, UUID]:
    notice = item.notice
    created = Notification(
        id=work.new_id(),
        user_id=item.recipient.user_id,
        created_at=work.now,
        **{field.name: getattr(notice, field.name) for field in fields(NoticeContent)},
    )
    return created, notice.event_id


class PersonalDataOfNotifications:
    """Implements `customers.service.hooks.PersonalData`."""

    async def export(self, db: Connection, subject: DataSubject) -> Exported:
        """Return nothing: notifications repeat what events tell."""
        return {}

    async def erase(self, work: UnitOfWork, subject: DataSubject) -> Counts:
        """Delete the notifications that tell of the person, and subjects of emails like them."""
        deleted = await storage.delete_about(
            work.db, subject.institution_id, subject.subject_ids, subject.event_ids
        )
        recipients = {user_id: await fetch_user(work.db, user_id) for user_id, *_ in deleted}
        for user_id, title, created_at in deleted:
            if (recipient := recipients[user_id]) is not None:
                await mail.erase_subject(work, recipient.email, title, created_at)
        return {"notifications": len(deleted)}
