"""Makes notifications and mails of recorded events, in the transaction that marks them as told."""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from uuid import UUID

from licet_server.catalog.service.products import product_names
from licet_server.events.rules.model import Recorded
from licet_server.identity.rules.memberships import Role
from licet_server.institutions.rules.members import Recipient
from licet_server.institutions.service import audience
from licet_server.institutions.service.institutions import institution_names
from licet_server.kit import mail
from licet_server.kit.database import Connection
from licet_server.kit.unit_of_work import UnitOfWork
from licet_server.kit.visibility import Visibility
from licet_server.licenses.service import reading as licenses
from licet_server.notifications.rules.kinds import KIND_OF, Kind, channels_of
from licet_server.notifications.rules.model import Notice, Notification
from licet_server.notifications.rules.wording import Names, license_of, notice_of
from licet_server.notifications.service.letters import letter_about
from licet_server.notifications.storage import notifications as storage
from licet_server.notifications.storage import preferences

_TOLD = (Role.OWNER, Role.ADMIN)


@dataclass(frozen=True, slots=True)
class _Addressed:
    """A notice, and somebody whom it is for."""

    recipient: Recipient
    notice: Notice


async def project(work: UnitOfWork, events: Sequence[Recorded]) -> None:
    """Tell the Owners and Admins of what happened in their institutions, as they chose.

    Events of one kind that come together make one mail.
    """
    told = [event for event in events if event.kind in KIND_OF]
    if not told:
        return
    names = await _names(work.db, told)
    addressed = await _address(work.db, [notice_of(event, names) for event in told])
    people = {item.recipient.user_id for item in addressed}
    chosen = await preferences.fetch_choices(work.db, people)
    in_app: list[_Addressed] = []
    mailed: dict[tuple[str, Kind], list[Notice]] = defaultdict(list)
    for item in addressed:
        recipient, kind = item.recipient, item.notice.kind
        channels = channels_of(kind, chosen.get((recipient.user_id, kind)))
        if channels.in_app:
            in_app.append(item)
        if channels.email and recipient.email_verified:
            mailed[recipient.email, kind].append(item.notice)
    await storage.insert_notifications(work.db, [_made(work, item) for item in in_app])
    for (email, kind), notices in mailed.items():
        await mail.write(work, letter_about(email, kind, notices, work.address))


async def _names(db: Connection, events: Sequence[Recorded]) -> Names:
    institutions = {event.institution_id for event in events}
    wanted = {license_id for event in events if (license_id := license_of(event)) is not None}
    found = await licenses.find_by_ids(db, Visibility(tuple(institutions)), list(wanted))
    products = {
        (event.institution_id, event.product_id) for event in events if event.product_id is not None
    }
    return Names(
        licenses={item.id: item.license_name for item in found.values()},
        products=await product_names(db, list(products)),
        institutions=await institution_names(db, institutions),
    )


async def _address(db: Connection, notices: Sequence[Notice]) -> list[_Addressed]:
    institutions = {item.institution_id for item in notices if item.only_email is None}
    overseers = await audience.find_recipients(db, institutions, _TOLD)
    emails = {item.only_email for item in notices if item.only_email}
    named = {user.email.lower(): user for user in await audience.find_verified_users(db, emails)}

    def addressed() -> Iterator[_Addressed]:
        for notice in notices:
            if notice.only_email is None:
                for recipient in overseers:
                    if _is_for(notice, recipient):
                        yield _Addressed(recipient, notice)
            elif (user := named.get(notice.only_email)) is not None:
                yield _Addressed(
                    Recipient(notice.institution_id, user.id, user.email, True), notice
                )

    return list(addressed())


def _is_for(notice: Notice, recipient: Recipient) -> bool:
    is_there = recipient.institution_id == notice.institution_id
    return is_there and recipient.user_id != notice.except_user


def _made(work: UnitOfWork, item: _Addressed) -> tuple[Notification, UUID]:
    notice = item.notice
    made = Notification(
        institution_id=notice.institution_id,
        id=work.new_id(),
        user_id=item.recipient.user_id,
        kind=notice.kind,
        title=notice.title,
        body=notice.body,
        product_id=notice.product_id,
        subject_id=notice.subject_id,
        subject_kind=notice.subject_kind,
        created_at=work.now,
        read_at=None,
    )
    return made, notice.event_id
