"""Sends queued e-mails over SMTP, each claimed by a lease so that a killed process loses none."""

import asyncio
from datetime import timedelta

import structlog
from aiosmtplib import SMTP, SMTPException, SMTPResponseException

from licet_server.kit.keyring import CannotOpen
from licet_server.kit.mail import storage
from licet_server.kit.mail.emails import GIVE_UP_AFTER, as_message, pause_after
from licet_server.kit.mail.outbox import email_of
from licet_server.kit.mail.storage import StoredMail
from licet_server.kit.platform import Platform
from licet_server.kit.settings import MailServer

BATCH_SIZE = 10
ROUNDS = 10
LEASE = timedelta(minutes=15)
DELETE_AFTER = timedelta(days=30)

_TIMEOUT_SECONDS = 20.0

_log = structlog.get_logger("licet.mail")


async def deliver(platform: Platform) -> int:
    """Send the e-mails that are due, and return their number.

    An e-mail that was accepted just before this process was killed is sent again with the same
    `Message-ID`. Without a mail server, e-mails stay in the outbox for a system Admin to read.
    """
    now = platform.clock()
    async with platform.database.reading() as db:
        await storage.delete_old(db, now - DELETE_AFTER)
    server = platform.settings.mail_server
    if server is None:
        return 0
    async with platform.database.reading() as db:
        given_up = await storage.give_up(db, now - GIVE_UP_AFTER)
    if given_up:
        _log.warning("mails_given_up", count=given_up)
    sent = 0
    for _ in range(ROUNDS):
        async with platform.database.reading() as db:
            claimed = await storage.claim_due(db, platform.clock(), LEASE, BATCH_SIZE)
        accepted = await _send_all(platform, server, claimed)
        sent += accepted
        if accepted < BATCH_SIZE:
            break
    return sent


async def _send_all(platform: Platform, server: MailServer, claimed: list[StoredMail]) -> int:
    """Send over one connection, and return how many were accepted; if it fails, postpone all."""
    if not claimed:
        return 0
    client = _client(server)
    try:
        await client.connect()
    except (SMTPException, OSError) as error:
        for mail in claimed:
            await _postpone(platform, mail, error)
        return 0
    try:
        results = [await _send(platform, server, client, mail) for mail in claimed]
    finally:
        client.close()
    return sum(results)


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


async def _send(platform: Platform, server: MailServer, client: SMTP, mail: StoredMail) -> bool:
    try:
        email = email_of(platform.keyring, mail)
        message = as_message(mail.id, server.sender, email, mail.created_at)
        async with asyncio.timeout(_TIMEOUT_SECONDS):
            await client.send_message(message)
    except (SMTPException, OSError, CannotOpen, ValueError) as error:
        if isinstance(error, TimeoutError):
            client.close()  # the session is unusable: fail the others now instead of waiting
        await _postpone(platform, mail, error)
        return False
    async with platform.database.reading() as db:
        await storage.mark_sent(db, mail.id, platform.clock())
    return True


async def _postpone(platform: Platform, mail: StoredMail, error: Exception) -> None:
    # The text of a reply may contain the recipient; the code is enough.
    code = error.code if isinstance(error, SMTPResponseException) else None
    kind, attempt = type(error).__name__, mail.attempts + 1
    _log.warning("mail_failed", mail=str(mail.id), error=kind, code=code, attempt=attempt)
    due_at = platform.clock() + pause_after(attempt)
    async with platform.database.reading() as db:
        await storage.postpone(db, mail.id, due_at)
