"""Notifications, who may see them, and their texts.

Texts are sentences in plain text, in which every name is quoted. Facts that are missing are left
out of the sentence.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, tzinfo
from enum import StrEnum
from uuid import UUID

from licet_server.events.rules.kinds import (
    NOTIFICATIONS,
    SUBJECTS_OF_KINDS,
    EventKind,
    NotificationKind,
    SubjectKind,
)
from licet_server.events.rules.model import RecordedEvent
from licet_server.identity.rules.memberships import Role
from licet_server.kit.dates import day_in_words
from licet_server.kit.text import quoted
from licet_server.notifications.rules.facts import Names, NoticeFacts, facts_of


class NotificationSubject(StrEnum):
    """The kind of thing that a notification links to."""

    LICENSE = "License"
    WEBHOOK = "Webhook"
    INVITATION = "Invitation"
    MEMBER = "Member"
    ASSOCIATION = "Association"
    CONNECTOR = "Connector"


@dataclass(frozen=True, slots=True, kw_only=True)
class NoticeContent:
    """The text of notifications about one event, and what they are about.

    The text is that of emails and of the API, in English. Pages make their own from the facts,
    which those of earlier releases lack.
    """

    institution_id: UUID
    kind: NotificationKind
    title: str
    body: str
    facts: NoticeFacts | None
    product_id: UUID | None
    subject_id: UUID
    subject_kind: NotificationSubject


@dataclass(frozen=True, slots=True, kw_only=True)
class Notice(NoticeContent):
    """The content of notifications about one event, before their recipients are known.

    The recipients are the Owners and Admins of the institution, except `except_user`; or, if
    `only_email` is set, the user with that email address alone.
    """

    event_id: UUID
    only_email: str | None = None
    except_user: UUID | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Notification(NoticeContent):
    """A notice that a user received."""

    id: UUID
    user_id: UUID
    created_at: datetime
    read_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class NotificationVisibility:
    """The notifications of a user that a session of theirs sees.

    `administered` are the institutions where they are Owner or Admin. `invitations` come from any
    institution, and are not for a session through the identity provider of one.
    """

    user_id: UUID
    administered: tuple[UUID, ...]
    invitations: bool

    def covers(self, item: Notification) -> bool:
        """Return whether the session sees a notification."""
        is_invitation = item.subject_kind is NotificationSubject.INVITATION
        return item.institution_id in self.administered or (self.invitations and is_invitation)


def visibility_of(
    user_id: UUID, roles: Mapping[UUID, Role], through: UUID | None
) -> NotificationVisibility:
    """Return what a user with these roles sees, in a session through a provider if one is given.

    Users who lose their role no longer see the notifications that they received.
    """
    administered = tuple(item for item, role in roles.items() if role.covers(Role.ADMIN))
    return NotificationVisibility(user_id, administered, invitations=through is None)


_EMAILED = frozenset(
    {
        NotificationKind.LICENSE_EXPIRING,
        NotificationKind.ACCESS_ATTEMPT,
        NotificationKind.LOW_BALANCE,
        NotificationKind.WEBHOOK_DISABLED,
        NotificationKind.CONNECTOR_REJECTED,
        NotificationKind.MAIL_FAILED,
    }
)
"""Kinds that are sent by email unless the user turns that off."""


@dataclass(frozen=True, slots=True)
class Channels:
    """The channels of a kind that are turned on for a user."""

    in_app: bool
    email: bool


@dataclass(frozen=True, slots=True)
class NotificationChoice:
    """The choice of a user for a kind; `None` for a channel left at the default."""

    in_app: bool | None = None
    email: bool | None = None


def channels_of(kind: NotificationKind, choice: NotificationChoice | None = None) -> Channels:
    """Return the channels of a kind: those chosen, or the defaults."""
    chosen = choice or NotificationChoice()
    return Channels(
        in_app=True if chosen.in_app is None else chosen.in_app,
        email=kind in _EMAILED if chosen.email is None else chosen.email,
    )


_CLAUSES: Mapping[str, tuple[str, str]] = {
    "as_role": (" as {}", "role"),
    "attempted": (" {}", "hardware_id"),
    "error": (" {}", "error"),
    "from_address": (" from the IP address {}", "ip_address"),
    "issued_to": (", issued to {},", "issued_to"),
    "of_email": (" ({})", "email"),
    "reason": (" {}", "reason"),
    "threshold": ("; the threshold is {}", "threshold"),
    "to_host": (" to {}", "host"),
    "to_recipient": (" to {}", "recipient"),
    "with_role": (", as {}", "role"),
}
"""Phrases that are words around a fact, and the name of that."""


@dataclass(frozen=True, slots=True)
class _Phrases:
    """The phrases that sentences about facts are made of, with times in a time zone."""

    facts: NoticeFacts
    zone: tzinfo

    def __getitem__(self, phrase: str) -> str:
        """Return a phrase: words around a fact, or nothing without it; or what a property says."""
        if phrase not in _CLAUSES:
            return str(getattr(self, phrase))
        words, fact = _CLAUSES[phrase]
        value = getattr(self.facts, fact)
        return "" if value is None else words.format(value)

    @property
    def license(self) -> str:
        name = self.facts.license
        return f"the license {quoted(name)}" if name else "a deleted license"

    @property
    def of_product(self) -> str:
        name = self.facts.product
        return f" of {quoted(name)}" if name else ""

    @property
    def institution(self) -> str:
        name = self.facts.institution
        return quoted(name) if name else "an institution"

    @property
    def device(self) -> str:
        name, hardware_id = self.facts.device, self.facts.hardware_id
        if name is None:
            return f"the device {hardware_id}" if hardware_id else "a device"
        return f"the device {quoted(name)}" + (f" ({hardware_id})" if hardware_id else "")

    @property
    def license_in_full(self) -> str:
        return f"{self.license}{self.of_product}{self['issued_to']}"

    @property
    def soon(self) -> str:
        days = self.facts.days_left
        return "soon" if days is None else f"in {days} day{'' if days == 1 else 's'}"

    @property
    def on_its_end(self) -> str:
        return self._on(self.facts.expiration_date)

    @property
    def on_its_grace_end(self) -> str:
        return self._on(self.facts.in_grace_until)

    def _on(self, moment: datetime | None) -> str:
        try:
            end = None if moment is None else moment.astimezone(self.zone)
        except OverflowError:
            return ""
        return "" if end is None else f" on {day_in_words(end, 'en')} at {end:%H:%M %Z}"

    @property
    def bound(self) -> str:
        return self.facts.bound_hardware_id or "a different device"

    @property
    def balance(self) -> str:
        left = self.facts.balance
        return "little" if left is None else str(left)

    @property
    def connector(self) -> str:
        name = self.facts.connector
        return f"the connector {quoted(name)}" if name else "a connector"

    @property
    def member(self) -> str:
        name = self.facts.member
        return quoted(name) if name else "a new member"

    @property
    def vendor(self) -> str:
        return quoted(self.facts.vendor or "")

    @property
    def invitee(self) -> str:
        name, email = self.facts.invitee, self.facts.email
        return quoted(name) if name else email or "an institution"

    @property
    def association(self) -> str:
        return f"{self.of_product} from {self.vendor}"


_Text = tuple[str, str]
"""Title and body."""


def notice_of(event: RecordedEvent, names: Names) -> Notice:
    """Return the notice of an event of a kind that causes notifications."""
    facts = facts_of(event, names)
    phrases = _Phrases(facts, names.zones.get(event.institution_id, UTC))
    title, body = (text.format_map(phrases) for text in _text_of(facts))
    subject_kind = notification_subject(event.kind)
    is_license = subject_kind is NotificationSubject.LICENSE
    is_association = subject_kind is NotificationSubject.ASSOCIATION
    joined = event.subject_id if event.kind is EventKind.MEMBER_JOINED else None
    invited = (facts.email or "").lower() if event.kind is EventKind.MEMBER_INVITED else None
    return Notice(
        institution_id=event.institution_id,
        event_id=event.id,
        kind=NOTIFICATIONS[event.kind],
        title=_capitalized(title),
        body=_capitalized(body),
        facts=facts,
        product_id=event.product_id,
        subject_id=(event.license_id if is_license else None) or event.subject_id,
        subject_kind=subject_kind,
        only_email=invited,
        except_user=event.actor_id if is_association else joined,
    )


def notification_subject(kind: EventKind) -> NotificationSubject:
    """Return what a notification links to: the subject of its event, or the license of that."""
    subject = SUBJECTS_OF_KINDS[kind]
    if subject in {SubjectKind.DEVICE, SubjectKind.SESSION, SubjectKind.ACCESS_ATTEMPT}:
        return NotificationSubject.LICENSE
    return NotificationSubject(subject.value)


WORDING: Mapping[EventKind, _Text] = {
    EventKind.LICENSE_EXPIRING: (
        "{license} expires {soon}",
        "{license_in_full} ends{on_its_end}. Extend its term to keep it active.",
    ),
    EventKind.LICENSE_EXPIRED: (
        "{license} has expired",
        (
            "The term of {license_in_full} ended{on_its_end}. Extend it to make the license active "
            "again."
        ),
    ),
    EventKind.ACTIVATION_CREATED: (
        "a device was activated under {license}",
        "{device} now uses {license}{of_product}.",
    ),
    EventKind.ACTIVATION_OFFLINE_REQUESTED: (
        "an offline request is waiting for approval under {license}",
        (
            "{device}, which has no connection, wants to use {license}{of_product}. Approve or "
            "reject the request."
        ),
    ),
    EventKind.ACTIVATION_PENDING: (
        "a device is waiting for approval under {license}",
        "{device} wants to use {license}{of_product}. Approve or block it.",
    ),
    EventKind.ACCESS_ATTEMPT_DETECTED: (
        "another device tried to use {license}",
        (
            "The device{attempted} tried to use {license}{of_product}{from_address}. The license "
            "is bound to {bound}; access was denied."
        ),
    ),
    EventKind.METER_LOW_BALANCE: (
        "the balance of {license} is low",
        "{license}{of_product} has {balance} left{threshold}. Grant more before it runs out.",
    ),
    EventKind.METER_DEPLETED: (
        "the balance of {license} is used up",
        "{license}{of_product} has nothing left. Grant more to let it be used.",
    ),
    EventKind.WEBHOOK_DISABLED: (
        "a webhook{to_host} was disabled",
        (
            "No more events are sent to the webhook{to_host}. See the responses to its last "
            "deliveries, then enable it again."
        ),
    ),
    EventKind.CONNECTOR_REJECTED: (
        "{connector} rejects the messages of its shop",
        (
            "The last messages that {connector} got were rejected, so sales may be "
            "missing.{reason} Have the shop send them again afterwards."
        ),
    ),
    EventKind.LICENSE_MAIL_FAILED: (
        "an email about {license} has failed",
        (
            "The email about {license}{of_product}{to_recipient} did not arrive.{error} Check the "
            "address, then send it again."
        ),
    ),
    EventKind.MEMBER_INVITED: (
        "you are invited to {institution}",
        (
            "You can join {institution}{as_role}. The link to accept the invitation is in the "
            "email that was sent to you."
        ),
    ),
    EventKind.MEMBER_JOINED: (
        "{member} joined {institution}",
        "{member}{of_email} is now a member of {institution}{with_role}.",
    ),
    EventKind.ASSOCIATION_INVITED: (
        "{vendor} invites {institution} to receive licenses",
        "An Owner of {institution} can accept the invitation{association} under Received licenses.",
    ),
    EventKind.ASSOCIATION_ACCEPTED: (
        "{institution} receives licenses from {vendor}",
        "{institution} accepted the invitation{association}.",
    ),
    EventKind.ASSOCIATION_REMOVED: (
        "{vendor} ended an association with {institution}",
        "{institution} receives no more licenses{association}.",
    ),
}
"""The title and body for each kind of event that causes notifications, with phrases in braces."""

_IN_GRACE: _Text = (
    "the term of {license} has ended",
    (
        "The term of {license_in_full} ended{on_its_end}. The license stays active until its grace "
        "ends{on_its_grace_end}. Extend its term to keep it active."
    ),
)
_WITHDRAWN: _Text = (
    "the invitation of {invitee} was withdrawn",
    "{invitee} can no longer accept it.",
)
_FOR_VENDORS: Mapping[EventKind, _Text] = {
    EventKind.ASSOCIATION_INVITED: (
        "{invitee} is invited to receive licenses{of_product}",
        "{invitee} has seven days to accept. Then you can issue licenses to it.",
    ),
    EventKind.ASSOCIATION_ACCEPTED: (
        "{invitee} accepted your invitation",
        "You can now issue licenses{of_product} to {invitee}.",
    ),
    EventKind.ASSOCIATION_REMOVED: (
        "{invitee} receives no more licenses{of_product}",
        "The association{of_product} with {invitee} was removed.",
    ),
}
"""What vendors read; customers read what `WORDING` has."""


def _text_of(facts: NoticeFacts) -> _Text:
    kind = facts.event
    if kind is EventKind.LICENSE_EXPIRING and facts.in_grace_until is not None:
        return _IN_GRACE
    if kind not in _FOR_VENDORS or facts.vendor is not None:
        return WORDING[kind]
    return _WITHDRAWN if facts.withdrawn else _FOR_VENDORS[kind]


def _capitalized(sentence: str) -> str:
    return sentence[:1].upper() + sentence[1:]
