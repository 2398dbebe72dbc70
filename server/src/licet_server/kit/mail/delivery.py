"""Sends queued emails over SMTP, each claimed by a lease so that a killed process loses none."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from datetime import timedelta
from email.utils import parseaddr
from uuid import UUID

import structlog
from aiosmtplib import (
    SMTP,
    SMTPDataError,
    SMTPException,
    SMTPNotSupported,
    SMTPRecipientsRefused,
    SMTPResponseException,
)

from licet_server.kit.errors import Refused
from licet_server.kit.keyring import CannotOpen
from licet_server.kit.mail import outbox
from licet_server.kit.mail.emails import GIVE_UP_AFTER, Email, Logo, as_bytes, pause_after
from licet_server.kit.mail.outbox import MailStatus, StoredMail, email_of
from licet_server.kit.origin import Origin
from licet_server.kit.platform import Platform
from licet_server.kit.settings import MailServer
from licet_server.kit.unit_of_work import UnitOfWork


def code_of(error: Exception) -> int | None:
    """Return the code of the mail server's reply, if there was one."""
    if isinstance(error, SMTPRecipientsRefused):
        return max((item.code for item in error.recipients), default=None)
    return error.code if isinstance(error, SMTPResponseException) else None


def is_refusal(error: Exception) -> bool:
    """Return whether the mail server refused this email, and says that this will not change."""
    code = code_of(error)
    if isinstance(error, SMTPNotSupported):
        return True
    of_this_email = isinstance(error, (SMTPRecipientsRefused, SMTPDataError))
    return of_this_email and code is not None and code >= 500


def reason_of(error: Exception) -> str:
    """Return what went wrong, for the vendor in whose name the email is sent."""
    code = code_of(error)
    if isinstance(error, SMTPNotSupported):
        return "The mail server does not take addresses with letters outside ASCII (SMTPUTF8)."
    if isinstance(error, SMTPRecipientsRefused):
        return f"The mail server does not accept this address (code {code})."
    if code is not None:
        return f"The mail server refused the email (code {code})."
    if isinstance(error, ValueError):
        return "The email cannot be sent as it is."
    return "The mail server could not be reached, or broke off."


BATCH_SIZE = 10
ROUNDS = 10
LEASE = timedelta(minutes=15)
DELETE_AFTER = timedelta(days=30)

_TIMEOUT_SECONDS = 20.0
_TOO_OLD = "It could not be sent for three days."

_log = structlog.get_logger("licet.mail")


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of an email of a vendor in one attempt, or of one that was given up.

    `Failed` is also what the mail server refused for good, although it will be tried again; what
    only has to be tried again is `Waiting`. `error` is a sentence without an address.
    """

    vendor_id: UUID
    mail_id: UUID
    status: MailStatus
    error: str | None


Observer = Callable[[UnitOfWork, Sequence[Outcome]], Awaitable[None]]
"""Told of outcomes, in the transaction that stores them."""


FindLogo = Callable[[Platform, UUID], Awaitable[Logo | None]]
"""Finds the logo of an institution as emails show it."""


async def no_logo(_platform: Platform, _institution_id: UUID) -> None:
    """Find no logo."""


async def ignore(_work: UnitOfWork, _outcomes: Sequence[Outcome]) -> None:
    """Observe nothing."""


async def deliver(
    platform: Platform, observe: Observer = ignore, find_logo: FindLogo = no_logo
) -> int:
    """Send the emails that are due, and return their number.

    An email that was accepted just before this process was killed is sent again with the same
    `Message-ID`. Without a mail server, emails stay in the outbox for a system Admin to read.
    """
    now = platform.clock()
    async with platform.database.reading() as db:
        await outbox.delete_old(db, now - DELETE_AFTER)
    server = platform.settings.mail_server
    if server is None:
        return 0
    delivery = _Delivery(platform, server, observe, find_logo)
    await delivery.give_up()
    sent = 0
    for _ in range(ROUNDS):
        async with platform.database.reading() as db:
            claimed = await outbox.claim_due(db, platform.clock(), LEASE, BATCH_SIZE)
        accepted = await delivery.send_all(claimed)
        sent += accepted
        if accepted < BATCH_SIZE:
            break
    return sent


@dataclass(frozen=True, slots=True)
class _Delivery:
    """Sends emails through a server, and reports the outcomes."""

    platform: Platform
    server: MailServer
    observe: Observer
    find_logo: FindLogo
    logos: dict[UUID, Logo | None] = field(default_factory=dict)

    async def give_up(self) -> None:
        """Mark as failed what could not be sent for too long."""
        async with self.platform.unit_of_work(Origin()) as work:
            given_up = await outbox.give_up(work.db, work.now - GIVE_UP_AFTER)
            await self._tell(work, given_up, MailStatus.FAILED, _TOO_OLD)
        if given_up:
            _log.warning("mails_given_up", count=len(given_up))

    async def send_all(self, claimed: list[StoredMail]) -> int:
        """Send over one connection; returns how many were accepted. If it fails, postpone all."""
        if not claimed:
            return 0
        client = _client(self.server)
        try:
            await client.connect()
        except (SMTPException, OSError) as error:
            for mail in claimed:
                await self._postpone(mail, error)
            return 0
        try:
            results = [await self._send(client, mail) for mail in claimed]
        finally:
            client.close()
        return sum(results)

    async def _send(self, client: SMTP, mail: StoredMail) -> bool:
        try:
            email = email_of(self.platform.keyring, mail)
            logo = await self._logo_of(email)
            message = as_bytes(mail.id, self.server.sender, email, mail.created_at, logo)
            sender = parseaddr(self.server.sender)[1]
            async with asyncio.timeout(_TIMEOUT_SECONDS):
                options = [] if message.isascii() else ["SMTPUTF8"]
                await client.sendmail(sender, [email.recipient], message, mail_options=options)
        except (SMTPException, OSError, CannotOpen, ValueError) as error:
            if isinstance(error, TimeoutError):
                client.close()  # the session is unusable: fail the others now instead of waiting
            await self._postpone(mail, error)
            return False
        async with self.platform.unit_of_work(Origin()) as work:
            await outbox.mark_sent(work.db, mail.id, work.now)
            await self._tell(work, [mail], MailStatus.SENT, None)
        return True

    async def _logo_of(self, email: Email) -> Logo | None:
        of = None if email.letter is None else email.letter.logo_of
        if of is not None and of not in self.logos:
            try:
                self.logos[of] = await self.find_logo(self.platform, of)
            except Refused:  # too many pictures wait, and the email should not
                self.logos[of] = None
        return None if of is None else self.logos[of]

    async def _postpone(self, mail: StoredMail, error: Exception) -> None:
        # The text of a reply may contain the recipient; the code is enough.
        kind, attempt, code = type(error).__name__, mail.attempts + 1, code_of(error)
        _log.warning("mail_failed", mail=str(mail.id), error=kind, code=code, attempt=attempt)
        status = MailStatus.FAILED if is_refusal(error) else MailStatus.WAITING
        async with self.platform.unit_of_work(Origin()) as work:
            await outbox.postpone(work.db, mail.id, work.now + pause_after(attempt))
            await self._tell(work, [mail], status, reason_of(error))

    async def _tell(
        self, work: UnitOfWork, mails: Sequence[StoredMail], status: MailStatus, error: str | None
    ) -> None:
        outcomes = [
            Outcome(mail.vendor_id, mail.id, status, error)
            for mail in mails
            if mail.vendor_id is not None
        ]
        if outcomes:
            await self.observe(work, outcomes)


def _client(server: MailServer) -> SMTP:
    start_tls = {"always": False, "starttls": True, "where offered": None, "never": False}
    return SMTP(
        hostname=server.host,
        port=server.port,
        username=server.username,
        password=server.password,
        use_tls=server.tls == "always",
        start_tls=start_tls[server.tls],
        timeout=_TIMEOUT_SECONDS,
    )
