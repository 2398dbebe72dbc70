"""Emails leave by a real mail server: at least once, each for itself, and then are forgotten."""

import asyncio
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import suppress
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Any
from uuid import UUID

import pytest
from kit.mail.smtp import PASSWORD, USERNAME, Mailbox, at, certificate, running_server
from sqlalchemy import text
from structlog.testing import capture_logs
from testkit import FakeClock, settings_for

from licet_server.app import build_platform
from licet_server.kit import mail
from licet_server.kit.keyring import Keyring
from licet_server.kit.mail import Email, delivery
from licet_server.kit.mail.emails import pause_after
from licet_server.kit.origin import Origin
from licet_server.kit.paging import Paging
from licet_server.kit.platform import Platform
from licet_server.kit.settings import MailServer
from licet_server.kit.unit_of_work import UnitOfWork
from licet_server.rotation import rotate_master_key

SECRET = "token-Zm9vYmFy"
EMAIL = Email(
    "ann@example.com",
    "A subject\nin two lines → of text",
    ("Dear <Ann>,", f"https://licet.test/reset?token={SECRET}&x=1", "Bye."),
)


@pytest.fixture
async def outbox(
    new_database: Callable[[], str], tmp_path: Path, clock: FakeClock
) -> AsyncIterator[Platform]:
    """A platform whose outbox is empty."""
    platform = build_platform(settings_for(new_database(), tmp_path), clock)
    yield platform
    await platform.database.close()


def sending(platform: Platform, server: MailServer) -> Platform:
    return replace(platform, settings=replace(platform.settings, mail_server=server))


async def write(platform: Platform, *emails: Email) -> None:
    async with platform.unit_of_work(Origin()) as work:
        for email in emails:
            await mail.write(work, email)


def email_to(recipient: str) -> Email:
    return replace(EMAIL, recipient=recipient)


async def shown(platform: Platform) -> list[mail.Mail]:
    async with platform.database.reading() as db:
        return (await mail.list_mails(db, platform.keyring, Paging(page_size=100))).items


async def statuses(platform: Platform) -> list[str]:
    return [item.status.value for item in await shown(platform)]


async def test_an_email_is_sent_and_forgotten(outbox: Platform, clock: FakeClock) -> None:
    mailbox = Mailbox()
    await write(outbox, EMAIL)
    async with outbox.database.reading() as db:
        [(stored,)] = (await db.execute(text("SELECT m::text FROM mails m"))).all()
        assert SECRET not in stored
        assert SECRET.encode().hex() not in stored
    [waiting] = await shown(outbox)
    assert waiting.status == "Waiting"
    assert waiting.text is not None
    assert SECRET in waiting.text
    assert SECRET not in repr(waiting)
    with running_server(mailbox) as port:
        assert await mail.deliver(sending(outbox, at(port))) == 1
        assert await mail.deliver(sending(outbox, at(port))) == 0
    [message] = mailbox.received
    assert message["From"] == "Licet <licet@example.com>"
    assert message["To"] == message["X-To"] == "ann@example.com"
    assert message["Subject"] == "A subject in two lines → of text"
    assert message["Message-ID"] == f"<{waiting.id}@example.com>"
    assert message["Date"].datetime == clock()  # type: ignore[union-attr]
    plain, html = (part.get_content() for part in message.iter_parts())  # type: ignore[attr-defined]
    assert plain.split("\r\n" if "\r\n" in plain else "\n")[0] == "Dear <Ann>,"
    assert SECRET in plain
    assert "<p>Dear &lt;Ann&gt;,</p>" in html
    assert f'<a href="https://licet.test/reset?token={SECRET}&amp;x=1">' in html
    [sent] = await shown(outbox)
    assert (sent.status, sent.text, sent.sent_at) == ("Sent", None, clock())
    async with outbox.database.reading() as db:
        assert (await db.execute(text("SELECT paragraphs FROM mails"))).scalar() is None


async def test_an_address_with_letters_beyond_ascii_needs_a_server_that_takes_it(
    outbox: Platform, clock: FakeClock
) -> None:
    outcomes: list[delivery.Outcome] = []

    async def observe(_work: UnitOfWork, found: Sequence[delivery.Outcome]) -> None:
        outcomes.extend(found)

    async with outbox.unit_of_work(Origin()) as work:
        await mail.write(work, replace(email_to("jürgen@example.com"), vendor_id=work.new_id()))
    mailbox = Mailbox()
    with running_server(mailbox, utf8=False) as port:
        assert await mail.deliver(sending(outbox, at(port)), observe) == 0
    assert mailbox.raw == []
    [outcome] = outcomes
    assert outcome.status == "Failed"
    assert "SMTPUTF8" in (outcome.error or "")
    clock.advance(days=1)
    with running_server(mailbox) as port:
        assert await mail.deliver(sending(outbox, at(port)), observe) == 1
    assert "\r\nTo: jürgen@example.com\r\n".encode() in mailbox.raw[0]


async def test_an_email_of_a_transaction_that_failed_never_leaves(outbox: Platform) -> None:
    with suppress(ZeroDivisionError):
        async with outbox.unit_of_work(Origin()) as work:
            await mail.write(work, EMAIL)
            raise ZeroDivisionError
    assert await shown(outbox) == []


async def test_without_a_server_emails_wait_to_be_read(outbox: Platform, clock: FakeClock) -> None:
    await write(outbox, EMAIL)
    clock.advance(days=29)
    assert await mail.deliver(outbox) == 0
    async with outbox.database.reading() as db:
        [waiting] = await mail.list_waiting(db, outbox.keyring)
    assert waiting.text is not None
    assert SECRET in waiting.text
    clock.advance(days=2)
    await mail.deliver(outbox)
    assert await shown(outbox) == []


async def test_pauses_grow_until_it_is_given_up(outbox: Platform, clock: FakeClock) -> None:
    with running_server(Mailbox()) as port:
        pass  # nobody listens there any more
    platform = sending(outbox, at(port))
    await write(platform, EMAIL)
    tries: list[timedelta] = []
    with capture_logs() as logs:
        while "Waiting" in await statuses(platform):
            before = len(logs)
            await mail.deliver(platform)
            if len(logs) > before and logs[-1]["event"] == "mail_failed":
                tries.append(clock() - FakeClock.START)
            clock.advance(minutes=1 if len(tries) < 5 else 20)
    assert tries[:5] == [timedelta(minutes=minutes) for minutes in (0, 1, 5, 21, 85)]
    assert 12 < len(tries) < 25
    assert tries[-1] < timedelta(days=3)
    assert await statuses(platform) == ["Failed"]
    said = str(logs)
    assert SECRET not in said
    assert "ann@" not in said


def test_pauses_are_bounded() -> None:
    assert pause_after(1) == timedelta(minutes=1)
    assert pause_after(10_000) == timedelta(hours=6)


async def test_a_refused_recipient_holds_up_nobody(outbox: Platform, clock: FakeClock) -> None:
    mailbox = Mailbox(refused={"b@example.com"})
    with running_server(mailbox) as port:
        platform = sending(outbox, at(port))
        await write(platform, *(email_to(f"{name}@example.com") for name in "abc"))
        with capture_logs() as logs:
            assert await mail.deliver(platform) == 2
        assert [entry["code"] for entry in logs if entry["event"] == "mail_failed"] == [550]
        assert "b@example.com" not in str(logs)
        assert [message["To"] for message in mailbox.received] == ["a@example.com", "c@example.com"]
        mailbox.refused.clear()
        assert await mail.deliver(platform) == 0
        clock.advance(minutes=1)
        assert await mail.deliver(platform) == 1


async def test_many_emails_and_many_senders(outbox: Platform) -> None:
    mailbox = Mailbox()
    with running_server(mailbox) as port:
        platform = sending(outbox, at(port))
        await write(platform, *(email_to(f"r{number}@example.com") for number in range(60)))
        sent = await asyncio.gather(*(mail.deliver(platform) for _ in range(4)))
    assert sum(sent) == 60
    assert len({message["Message-ID"] for message in mailbox.received}) == 60
    assert len(mailbox.received) == 60


async def test_who_claims_at_the_same_time_gets_others(outbox: Platform, clock: FakeClock) -> None:
    await write(outbox, *(email_to(f"r{number}@example.com") for number in range(20)))
    lease = timedelta(minutes=1)
    async with outbox.database.transaction() as first, outbox.database.transaction() as second:
        mine = await delivery.outbox.claim_due(first, clock(), lease, 10)
        async with asyncio.timeout(5):  # nobody waits for the other one to commit
            theirs = await delivery.outbox.claim_due(second, clock(), lease, 15)
    assert (len(mine), len(theirs)) == (10, 10)
    assert not {item.id for item in mine} & {item.id for item in theirs}
    async with outbox.database.reading() as db:
        assert await delivery.outbox.claim_due(db, clock(), lease, 10) == []


async def test_killed_while_sending(outbox: Platform, clock: FakeClock) -> None:
    mailbox = Mailbox(hanging=True)
    with running_server(mailbox) as port:
        platform = sending(outbox, at(port))
        await write(platform, EMAIL)
        task = asyncio.create_task(mail.deliver(platform))
        await asyncio.to_thread(mailbox.reached.wait, 10)
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
        mailbox.hanging = False
        assert await statuses(platform) == ["Waiting"]
        assert await mail.deliver(platform) == 0  # nobody knows yet that the other one is gone
        clock.advance(minutes=15)
        assert await mail.deliver(platform) == 1
    assert [message["To"] for message in mailbox.received] == ["ann@example.com"]


async def test_killed_between_sent_and_marked(
    outbox: Platform, clock: FakeClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    mailbox = Mailbox()
    with running_server(mailbox) as port:
        platform = sending(outbox, at(port))
        await write(platform, EMAIL)

        async def die(*arguments: Any) -> None:
            raise KeyError

        with monkeypatch.context() as patched:
            patched.setattr(delivery.outbox, "mark_sent", die)
            with pytest.raises(KeyError):
                await mail.deliver(platform)
        clock.advance(minutes=15)
        assert await mail.deliver(platform) == 1
    first, second = mailbox.received
    assert first["Message-ID"] == second["Message-ID"]


async def test_a_silent_server_does_not_hold_up_the_rest_for_long(
    outbox: Platform, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(delivery, "_TIMEOUT_SECONDS", 0.5)
    with running_server(Mailbox(hanging=True)) as port:
        platform = sending(outbox, at(port))
        await write(platform, *(email_to(f"r{number}@example.com") for number in range(10)))
        async with asyncio.timeout(5):
            assert await mail.deliver(platform) == 0
    assert await statuses(platform) == ["Waiting"] * 10


@pytest.mark.filterwarnings("ignore:Requiring AUTH")  # that is what it is about
async def test_the_password_goes_over_tls_alone(
    outbox: Platform, tmp_path: Path, clock: FakeClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    clear = Mailbox()
    await write(outbox, EMAIL)
    with running_server(clear, login=True) as port:
        assert await mail.deliver(sending(outbox, at(port, "starttls", PASSWORD))) == 0
        assert clear.logins == []
        clock.advance(minutes=1)
        assert await mail.deliver(sending(outbox, at(port, "never", PASSWORD))) == 1
        assert clear.logins == [(USERNAME, PASSWORD)]
    context, trusted = certificate(tmp_path)
    mailbox = Mailbox()
    await write(outbox, EMAIL)
    with running_server(mailbox, tls=context, login=True) as port:
        platform = sending(outbox, at(port, "starttls", PASSWORD))
        assert await mail.deliver(platform) == 0  # signed by nobody whom we trust
        assert mailbox.logins == []
        monkeypatch.setenv("SSL_CERT_FILE", str(trusted))
        clock.advance(minutes=1)
        assert await mail.deliver(platform) == 1
    assert mailbox.logins == [(USERNAME, PASSWORD)]


async def test_a_new_master_key_opens_emails_that_wait_and_refills_none(
    new_database: Callable[[], str],
    tmp_path: Path,
    clock: FakeClock,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    settings = settings_for(new_database(), tmp_path)
    platform = build_platform(settings, clock)
    loop = asyncio.get_running_loop()
    open_sealed = Keyring.open
    emptied: list[UUID] = []

    async def send(mail_id: UUID) -> None:
        async with platform.database.reading() as db:
            await delivery.outbox.mark_sent(db, mail_id, clock())

    def open_while_it_is_sent(keyring: Keyring, sealed: bytes, place: str) -> bytes:
        if not emptied and place.startswith("mails."):
            emptied.append(UUID(place.partition(":")[2]))
            asyncio.run_coroutine_threadsafe(send(emptied[0]), loop).result(10)
        return open_sealed(keyring, sealed, place)

    try:
        await write(platform, EMAIL, email_to("bob@example.com"))
        with monkeypatch.context() as patched:
            patched.setattr(Keyring, "open", open_while_it_is_sent)
            await asyncio.to_thread(rotate_master_key, settings, lambda line: None)
        texts = {item.id: item.text for item in await shown(platform)}
        assert texts.pop(emptied[0]) is None
        [waiting] = texts.values()
        assert SECRET in str(waiting)
        assert await asyncio.to_thread(rotate_master_key, settings, lambda line: None) == 1
    finally:
        await platform.database.close()
