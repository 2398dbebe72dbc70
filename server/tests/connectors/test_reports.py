"""Orders mailed as CSV after each week or month: when, to whom, and each period once."""

import asyncio
import csv
import io
import itertools
from contextlib import suppress
from datetime import UTC, datetime, timedelta, tzinfo
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
from licet_server.connectors.rules.reports import (
    ADDRESSES_MAX,
    OrderReport,
    ReportPeriod,
    last_span,
    span_before,
)
from licet_server.connectors.service import reports as service
from licet_server.connectors.storage import reports as storage
from licet_server.connectors.storage.reports import REPORTS
from licet_server.connectors.tables import order_reports
from licet_server.identity.rules.memberships import Role
from licet_server.kit import mail
from licet_server.kit.database import Connection
from licet_server.kit.mail import Attachment, Email, MailStatus, Outcome
from licet_server.kit.mail.emails import as_bytes
from licet_server.kit.mail.outbox import email_of, fetch_waiting
from licet_server.kit.origin import Origin
from licet_server.kit.platform import Platform
from licet_server.kit.unit_of_work import UnitOfWork
from licet_server.worker import mail_order_reports

BERLIN, KIRITIMATI = ZoneInfo("Europe/Berlin"), ZoneInfo("Pacific/Kiritimati")


def at(text: str) -> datetime:
    return datetime.fromisoformat(text).replace(tzinfo=UTC)


def planned(period: str, time_of_day: str, zone: tzinfo, now: datetime) -> OrderReport:
    report = OrderReport(
        institution_id=UUID(int=1),
        id=UUID(int=2),
        user_id=UUID(int=2),
        email=None,
        period=ReportPeriod(period),
    )
    return report.planned(ReportPeriod(period), time_of_day, zone, now)


@pytest.mark.parametrize(
    ("period", "due_at", "zone", "name", "since", "following"),
    [
        ("Month", "2030-03-31T22:00", BERLIN, "March 2030", "2030-02-28T23:00", "2030-04-30T22:00"),
        ("Month", "2030-02-01T00:00", UTC, "January 2030", "2030-01-01T00:00", "2030-03-01T00:00"),
        ("Week", "2030-01-07T00:00", UTC, "December 31, 2029 to January 6, 2030",
         "2029-12-31T00:00", "2030-01-14T00:00"),
        ("Day", "2030-01-06T23:00", BERLIN, "January 6, 2030",
         "2030-01-05T23:00", "2030-01-07T23:00"),
    ],
)  # fmt: skip
def test_a_report_is_about_the_days_before_it(
    period: str, due_at: str, zone: tzinfo, name: str, since: str, following: str
) -> None:
    report = planned(period, "00:00", zone, at(due_at) - timedelta(seconds=1))
    assert report.due_at == at(due_at)
    assert report.due_on is not None
    span = span_before(report.period, report.due_on, zone)
    assert (span.name, span.since, span.until) == (name, at(since), report.due_at)
    assert last_span(report.period, report.due_at, zone) == span
    assert report.due_in(zone, report.due_at) == report
    assert report.after(zone).due_at == at(following)
    # A move to another time zone leaves out no period, and repeats none.
    assert report.due_in(KIRITIMATI, report.due_at).due_on == report.due_on
    late = report.due_in(zone, report.due_at + timedelta(days=20_000))
    assert late.due_at is not None
    assert late.due_at > report.due_at + timedelta(days=19_900), "not each of a thousand periods"


def test_another_time_of_day_neither_repeats_nor_leaves_out_a_period() -> None:
    report = planned("Week", "07:00", BERLIN, at("2030-01-04T12:00"))
    assert report.due_at == at("2030-01-07T06:00")
    earlier = report.planned(report.period, "05:00", BERLIN, at("2030-01-07T05:30"))
    assert earlier.due_at == at("2030-01-07T04:00"), "it is due at once"
    later = report.after(BERLIN).planned(report.period, "09:00", BERLIN, at("2030-01-07T06:30"))
    assert later.due_at == at("2030-01-14T08:00"), "that of this week was sent"


@pytest.mark.parametrize(
    ("begins", "instants"),
    [
        # 02:30 does not exist on 31 March 2030 in Berlin.
        ("2030-03-29T12:00", ["30T01:30", "31T01:30", "01T00:30"]),
        # It comes twice on 27 October 2030.
        ("2030-10-25T12:00", ["26T00:30", "27T00:30", "28T01:30"]),
    ],
)
def test_a_daily_report_is_due_once_a_day_where_the_clocks_change(
    begins: str, instants: list[str]
) -> None:
    report = planned("Day", "02:30", BERLIN, at(begins))
    found = []
    for _ in instants:
        assert report.due_at is not None
        assert report.due_on is not None
        assert report.due_at.astimezone(BERLIN).date() == report.due_on
        found.append(f"{report.due_at:%dT%H:%M}")
        report = report.after(BERLIN)
    assert found == instants


class Office:
    """An owner with orders, and the reports that were mailed."""

    def __init__(self, owner: Owner, platform: Platform) -> None:
        self.platform, self.owner = platform, owner
        self.path = f"/api/institutions/{owner.institution_id}/order-reports"

    async def choose(self, user: Owner, period: str = "Month") -> None:
        await self.owner.ok("PUT", f"{self.path}/{user.user_id}", {"period": period})

    async def add(self, email: str, **more: str) -> Any:
        return await self.owner.send("POST", self.path, {"email": email, "period": "Month"} | more)

    async def listed(self) -> list[dict[str, Any]]:
        found: list[dict[str, Any]] = (await self.owner.ok("GET", self.path))["reports"]
        return found

    async def mailed(self, recipient: str | None = None) -> list[Email]:
        async with self.platform.database.reading() as db:
            waiting = await fetch_waiting(db)
        emails = [email_of(self.platform.keyring, it) for it in waiting]
        of = recipient or self.owner.email
        return [it for it in emails if it.recipient == of and it.subject.startswith("Orders of")]


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
    assert (own["userId"], own["period"], own["timeOfDay"], own["nextAt"]) == (
        stranger.user_id, "Month", "00:00", "2030-02-01T00:00:00Z"
    )  # fmt: skip
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


async def test_an_address_outside_the_team_gets_reports_until_it_stops_them(
    office: Office, owner: Owner, stranger: Owner, platform: Platform, clock: FakeClock
) -> None:
    await office.choose(owner)
    added = (await office.add("Anne <anne@tax.example>", timeOfDay="02:30")).json()
    assert (added["email"], added["userId"]) == ("anne@tax.example", None)
    assert added["nextAt"] == "2030-02-01T02:30:00Z"
    assert refusal(await office.add("ANNE@tax.example")) == (409, "Conflict")
    await office.add("second@tax.example")
    clock.advance(days=20)
    assert await mail_order_reports(platform) == 3
    [email] = await office.mailed("anne@tax.example")
    assert "January 1, 2030 to January 31, 2030, time zone UTC" in email.text
    assert "/orders?reports" not in email.text, "it leads into no dashboard"
    token = email.text.rpartition("/stop-reports?token=")[2].strip()
    edited = token[:-1] + ("0" if token[-1] != "0" else "1")
    wrong = await stranger.send("POST", "/api/order-reports/stop", {"token": edited})
    assert refusal(wrong) == (404, "NotFound")
    for _ in range(2):
        stopped = await owner.client.post("/api/order-reports/stop", json={"token": token})
        assert stopped.status_code == 204
    await owner.sign_in()
    clock.advance(days=31)
    assert await mail_order_reports(platform) == 2, "the others go on"
    await owner.sign_in()
    found = {it["email"]: it for it in await office.listed()}
    assert found["anne@tax.example"]["nextAt"] is None
    assert found["anne@tax.example"]["stoppedAt"] == "2030-02-04T12:00:00Z"
    path = f"{office.path}/{added['id']}"
    assert refusal(await owner.send("PUT", path, {"period": "Week"})) == (409, "Conflict")
    await owner.ok("DELETE", path)
    audit = await owner.ok("GET", f"/api/institutions/{owner.institution_id}/audit")
    kinds = [it["kind"] for it in audit["items"] if it["kind"].startswith("order_report.")]
    assert kinds == [f"order_report.{it}" for it in ("deleted", "stopped", "created", "created")]


async def test_addresses_outside_the_team_are_few_and_are_addresses(
    office: Office, owner: Owner, stranger: Owner, platform: Platform
) -> None:
    await join(platform, owner, stranger, Role.VIEWER)
    body = {"email": "x@tax.example", "period": "Month"}
    assert refusal(await stranger.send("POST", office.path, body)) == (403, "Forbidden")
    for email in ("a@b.example\r\nBcc: c@d.example", "nobody", "a@b.example, c@d.example"):
        assert refusal(await office.add(email)) == (400, "InvalidRequest")
    for time in ("24:00", "7:00", "07:00:00", "07:60"):
        assert refusal(await office.add("a@b.example", timeOfDay=time)) == (400, "InvalidRequest")
    for number in range(ADDRESSES_MAX):
        assert (await office.add(f"{number}@tax.example")).status_code == 201
    assert refusal(await office.add("more@tax.example")) == (409, "Conflict")
    assert (await stranger.ok("GET", office.path))["reports"] == [], "addresses are for Admins"


async def added_by_two(office: Office, patch: pytest.MonkeyPatch) -> int:
    """How many addresses have reports, if two are added at once where one has room."""
    for number in range(ADDRESSES_MAX - 1):
        assert (await office.add(f"{number}@tax.example")).status_code == 201
    fetch, both = storage.fetch_reports, asyncio.Barrier(2)

    async def met(db: Connection, institution_id: UUID) -> list[OrderReport]:
        found = await fetch(db, institution_id)
        with suppress(TimeoutError, asyncio.BrokenBarrierError):
            async with asyncio.timeout(0.5):
                await both.wait()
        return found

    patch.setattr(storage, "fetch_reports", met)
    await asyncio.gather(*(office.add(f"{name}@audit.example") for name in ("a", "b")))
    patch.setattr(storage, "fetch_reports", fetch)
    return len(await office.listed())


async def test_two_who_add_addresses_at_once_stay_within_the_limit(
    office: Office, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert await added_by_two(office, monkeypatch) == ADDRESSES_MAX


async def test_without_the_lock_they_would_exceed_it(
    office: Office, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A control."""

    async def pass_by(_work: UnitOfWork, _institution_id: UUID) -> None:
        pass

    monkeypatch.setattr(service, "lock_institution", pass_by)
    assert await added_by_two(office, monkeypatch) == ADDRESSES_MAX + 1


async def test_of_two_who_choose_for_a_member_at_once_the_last_one_is_heard(
    office: Office, owner: Owner, monkeypatch: pytest.MonkeyPatch
) -> None:
    insert = storage.insert_report

    async def late(db: Connection, report: OrderReport) -> bool:
        monkeypatch.setattr(storage, "insert_report", insert)
        await office.choose(owner, "Week")
        return await insert(db, report)

    monkeypatch.setattr(storage, "insert_report", late)
    await office.choose(owner, "Day")
    assert [it["period"] for it in await office.listed()] == ["Day"]


async def test_what_became_of_the_last_report_is_listed(
    office: Office, owner: Owner, platform: Platform, clock: FakeClock
) -> None:
    await office.choose(owner)
    [before] = await office.listed()
    assert (before["lastAt"], before["lastStatus"]) == (None, None)
    clock.advance(days=20)
    await mail_order_reports(platform)
    await owner.sign_in()
    [queued] = await office.listed()
    assert (queued["lastAt"], queued["lastStatus"]) == ("2030-02-04T12:00:00Z", "Queued")
    for status, error in ((MailStatus.FAILED, "Refused."), (MailStatus.SENT, None)):
        async with platform.database.reading() as db:
            [mail_id] = [it.id for it in await fetch_waiting(db) if it.recipient == owner.email
                         and it.subject.startswith("Orders of")]  # fmt: skip
        async with platform.unit_of_work(Origin()) as work:
            outcome = Outcome(UUID(owner.institution_id), mail_id, status, error)
            await service.settle_reports(work, [outcome])
        [settled] = await office.listed()
        assert (settled["lastStatus"], settled["lastError"]) == (status.value, error)


async def test_a_report_is_sent_at_once_to_who_asks_and_none_is_left_out(
    office: Office, owner: Owner, platform: Platform, clock: FakeClock
) -> None:
    await office.choose(owner, "Week")
    await owner.ok("POST", f"{office.path}/send", {"period": "Day"})
    [email] = await office.mailed()
    assert email.subject.endswith(": January 14, 2030")
    [report] = await office.listed()
    assert (report["lastAt"], report["nextAt"]) == (None, "2030-01-21T00:00:00Z")
    for _ in range(19):
        await owner.ok("POST", f"{office.path}/send", {"period": "Day"})
    more = await owner.send("POST", f"{office.path}/send", {"period": "Day"})
    assert refusal(more) == (429, "RateLimited")


async def test_a_report_of_a_killed_process_is_mailed_once(
    office: Office, owner: Owner, platform: Platform, clock: FakeClock,
    monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    await office.choose(owner)
    clock.advance(days=20)
    write = mail.write

    async def killed(work: UnitOfWork, email: Email) -> UUID:
        await write(work, email)
        raise asyncio.CancelledError

    monkeypatch.setattr(mail, "write", killed)
    with pytest.raises(asyncio.CancelledError):
        await mail_order_reports(platform)
    monkeypatch.setattr(mail, "write", write)
    assert await office.mailed() == []
    assert [await mail_order_reports(platform) for _ in range(2)] == [1, 0]
    assert len(await office.mailed()) == 1


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
