"""Orders mailed as CSV after each week or month: when, to whom, and each period once."""

import asyncio
import csv
import io
import itertools
from datetime import UTC, datetime, timedelta
from email import message_from_bytes
from typing import Any
from uuid import UUID
from zoneinfo import ZoneInfo

import pytest
from catalog.factories import join, refusal
from connectors.factories import open_stall
from connectors.test_sales import sell
from patience import PATIENCE_S
from sqlalchemy import delete
from testkit import FakeClock, Owner

from licet_server.connectors.rules.model import ConnectorKind
from licet_server.connectors.rules.reports import OrderReport, ReportPeriod, next_begin
from licet_server.connectors.service import reports as service
from licet_server.connectors.storage import reports as storage
from licet_server.connectors.storage.reports import REPORTS
from licet_server.connectors.tables import order_reports
from licet_server.identity.rules.memberships import Role
from licet_server.kit.database import Connection
from licet_server.kit.mail import Attachment, Email
from licet_server.kit.mail.emails import as_bytes
from licet_server.kit.mail.outbox import email_of, fetch_waiting
from licet_server.kit.platform import Platform
from licet_server.worker import mail_order_reports

BERLIN, KIRITIMATI = ZoneInfo("Europe/Berlin"), ZoneInfo("Pacific/Kiritimati")


def at(text: str) -> datetime:
    return datetime.fromisoformat(text).replace(tzinfo=UTC)


@pytest.mark.parametrize(
    ("period", "due_at", "zone", "name", "since", "following"),
    [
        ("Month", "2030-03-31T22:00", BERLIN, "March 2030", "2030-02-28T23:00", "2030-04-30T22:00"),
        ("Month", "2030-02-01T00:00", UTC, "January 2030", "2030-01-01T00:00", "2030-03-01T00:00"),
        ("Week", "2030-01-07T00:00", UTC, "December 31, 2029 to January 6, 2030",
         "2029-12-31T00:00", "2030-01-14T00:00"),
    ],
)  # fmt: skip
def test_a_report_is_about_the_days_before_it(
    period: str, due_at: str, zone: ZoneInfo, name: str, since: str, following: str
) -> None:
    report = OrderReport(
        institution_id=UUID(int=1),
        user_id=UUID(int=2),
        period=ReportPeriod(period),
        due_at=at(due_at),
    )
    span = report.span(zone)
    assert (span.name, span.since, span.until) == (name, at(since), report.due_at)
    assert report.due_in(zone, report.due_at) == report
    assert report.after(zone).due_at == at(following)
    assert next_begin(report.period, report.due_at - timedelta(seconds=1), zone) == report.due_at
    # A move to another time zone leaves out no period, and repeats none.
    assert report.due_in(KIRITIMATI, report.due_at).span(KIRITIMATI).first == span.first
    late = report.due_in(zone, report.due_at + timedelta(days=20_000))
    assert late.due_at > report.due_at + timedelta(days=19_900), "not each of a thousand periods"


class Office:
    """An owner with orders, and the reports that were mailed."""

    def __init__(self, owner: Owner, platform: Platform) -> None:
        self.platform, self.owner = platform, owner
        self.path = f"/api/institutions/{owner.institution_id}/order-reports"

    async def choose(self, user: Owner, period: str = "Month") -> None:
        await self.owner.ok("PUT", f"{self.path}/{user.user_id}", {"period": period})

    async def mailed(self) -> list[Email]:
        async with self.platform.database.reading() as db:
            waiting = await fetch_waiting(db)
        emails = [email_of(self.platform.keyring, it) for it in waiting]
        return [
            it
            for it in emails
            if it.recipient == self.owner.email and it.subject.startswith("Orders of")
        ]


def attachment_of(email: Email) -> Attachment:
    assert email.letter is not None
    assert email.letter.attachment is not None
    return email.letter.attachment


@pytest.fixture
async def office(owner: Owner, platform: Platform) -> Office:
    async with platform.database.transaction() as db:
        await db.execute(delete(order_reports))  # those of other tests would be due, too
    return Office(owner, platform)


async def test_orders_of_a_month_are_mailed_once(
    office: Office, owner: Owner, platform: Platform, clock: FakeClock
) -> None:
    stall = await open_stall(owner, platform, clock, ConnectorKind.GENERIC)
    await sell(stall, 1, amount="0.10")
    await sell(stall, 2, amount="5", testMode=True)
    await office.choose(owner)
    assert await mail_order_reports(platform) == 0
    clock.advance(days=20)  # 4 February
    await sell(stall, 3, amount="7")
    assert [await mail_order_reports(platform) for _ in range(2)] == [1, 0]
    [email] = await office.mailed()
    assert email.recipient == owner.email
    assert email.subject.endswith(": January 2030")
    assert "/orders?reports=open" in email.text
    attached = attachment_of(email)
    [order] = csv.DictReader(io.StringIO(attached.text))
    assert (order["externalId"], order["amount"], order["currency"]) == ("1", "0.1", "EUR")
    sent: Any = message_from_bytes(as_bytes(UUID(int=1), "a@b.example", email, clock()))
    text, file = sent.get_payload()
    assert text.get_content_type() == "multipart/alternative"
    assert (file.get_content_type(), file.get_filename()) == ("text/csv", "orders-2030-01-01.csv")
    assert file.get_payload(decode=True).decode() == attached.text


async def test_a_report_has_what_was_paid_in_its_period_for_whatever_order(
    office: Office, owner: Owner, platform: Platform, clock: FakeClock
) -> None:
    stall = await open_stall(owner, platform, clock, ConnectorKind.GENERIC)
    await sell(stall, 1, amount="9", timestamp="2029-01-05T00:00:00Z")
    await sell(stall, 1, "order.renewed", amount="10.10", timestamp="2030-01-05T00:00:00Z")
    await sell(stall, 1, "order.refunded", amount="0.10", timestamp="2030-01-06T00:00:00Z")
    await sell(stall, 1, "order.refunded", amount="1", timestamp="2030-02-01T00:00:00Z")
    await sell(stall, 2, amount=None)
    await office.choose(owner)
    clock.advance(days=20)
    assert await mail_order_reports(platform) == 1
    [email] = await office.mailed()
    lines = csv.DictReader(io.StringIO(attachment_of(email).text))
    assert [(it["externalId"], it["kind"], it["amount"]) for it in lines] == [
        ("1", "Renewal", "10.1"),
        ("1", "Refund", "-0.1"),
        ("2", "", ""),
    ]


async def test_a_large_report_is_a_link(
    office: Office,
    owner: Owner,
    platform: Platform,
    clock: FakeClock,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    stall = await open_stall(owner, platform, clock, ConnectorKind.GENERIC)
    await sell(stall, 1, amount="0.10")
    await office.choose(owner, "Week")
    clock.advance(days=7)
    monkeypatch.setattr(service, "BYTES_MAX", 100)
    await mail_order_reports(platform)
    monkeypatch.setattr(service, "ORDERS_MAX", 0)
    await sell(stall, 2, amount="1")
    clock.advance(days=7)
    await mail_order_reports(platform)
    heavy, long = await office.mailed()
    for email, days in ((heavy, "2030-01-14&to=2030-01-20"), (long, "2030-01-21&to=2030-01-27")):
        assert email.letter is not None
        assert email.letter.attachment is None
        assert f"/orders?testMode=false&from={days}\n" in email.text


async def test_only_readers_get_reports_and_only_admins_choose_for_others(
    office: Office, owner: Owner, stranger: Owner, platform: Platform, clock: FakeClock
) -> None:
    path = f"{office.path}/{stranger.user_id}"
    body = {"period": "Month"}
    assert refusal(await owner.send("PUT", path, body)) == (404, "NotFound")
    await join(platform, owner, stranger, Role.VIEWER)
    await office.choose(owner)
    others = await stranger.send("PUT", f"{office.path}/{owner.user_id}", body)
    assert refusal(others) == (403, "Forbidden")
    await stranger.ok("PUT", path, body)
    assert len((await owner.ok("GET", office.path))["reports"]) == 2
    [own] = (await stranger.ok("GET", office.path))["reports"]
    assert own == {
        "userId": stranger.user_id, "period": "Month", "nextAt": "2030-02-01T00:00:00Z"
    }  # fmt: skip
    member = f"/api/institutions/{owner.institution_id}/members/{stranger.user_id}"
    await owner.ok("PUT", member, {"role": "Member"})  # sees no orders
    assert refusal(await owner.send("PUT", path, body)) == (409, "Conflict")
    await owner.ok("DELETE", f"{office.path}/{owner.user_id}")
    assert (await owner.send("DELETE", f"{office.path}/{owner.user_id}")).status_code == 404
    clock.advance(days=20)
    assert await mail_order_reports(platform) == 0
    await owner.sign_in()
    await owner.ok("DELETE", member)
    assert (await owner.ok("GET", office.path))["reports"] == []


async def mailed_by_two(
    office: Office, platform: Platform, clock: FakeClock, patch: pytest.MonkeyPatch
) -> int:
    """How often a report is mailed if two processes look for what is due at once."""
    await office.choose(office.owner)
    clock.advance(days=20)
    claim, both, looks = storage.claim_due, asyncio.Barrier(2), itertools.count(1)

    async def met(db: Connection, now: datetime) -> OrderReport | None:
        found = await claim(db, now)
        if next(looks) <= 2:
            async with asyncio.timeout(PATIENCE_S):
                await both.wait()
        return found

    patch.setattr(storage, "claim_due", met)
    await asyncio.gather(*(mail_order_reports(platform) for _ in range(2)))
    return len(await office.mailed())


async def test_two_processes_mail_a_report_once(
    office: Office, platform: Platform, clock: FakeClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert await mailed_by_two(office, platform, clock, monkeypatch) == 1


async def test_without_the_lock_they_would_mail_it_twice(
    office: Office, platform: Platform, clock: FakeClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A control."""

    async def look(db: Connection, now: datetime) -> OrderReport | None:
        return await REPORTS.one(db, REPORTS.select(order_reports.c.due_at <= now))

    monkeypatch.setattr(storage, "claim_due", look)
    assert await mailed_by_two(office, platform, clock, monkeypatch) == 2
