"""Borrowed seats: what the conformance suite does not see, in process and without waiting."""

from __future__ import annotations

import asyncio
import json
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from licet import (
    AsyncLicenseClient,
    BorrowedSeat,
    LeaseRefusedError,
    LicenseClient,
    LicenseFileError,
    LicetError,
    NetworkError,
    OnlineRequiredError,
    SessionLostError,
)
from licet._lease_file import NOTHING_KEPT, KeptLease, LeaseFile, PendingRequest
from licet.testing import FakeLicense, FakeServer

pytestmark = pytest.mark.usefixtures("no_pauses")
START = datetime(2030, 1, 1, 12, 0, tzinfo=UTC)


@pytest.fixture
def server() -> FakeServer:
    return FakeServer(clock=lambda: START)


@pytest.fixture
def license_(server: FakeServer) -> FakeLicense:
    return server.issue("Floating", seats=2, max_borrow_days=30)


@pytest.fixture
def client(server: FakeServer, license_: FakeLicense, tmp_path: Path) -> LicenseClient:
    return server.client(license_, folder=tmp_path)


def borrow(client: LicenseClient, days: int = 14) -> BorrowedSeat:
    with client.session() as session:
        return session.borrow(days)


def lease_file(folder: Path) -> Path:
    [path] = folder.glob("*.lease")
    return path


def paths(server: FakeServer) -> list[str]:
    return [request.path for request in server.requests]


def code_of(error: pytest.ExceptionInfo[LicetError]) -> Any:
    return getattr(error.value, "error_code", None)


def test_a_session_whose_seat_is_borrowed_is_quiet(tmp_path: Path) -> None:
    server = FakeServer(heartbeat_interval_seconds=0.05, session_timeout_seconds=0.2)
    license_ = server.issue("Floating", seats=1, max_borrow_days=30)
    with server.client(license_, folder=tmp_path) as client, client.session() as session:
        seat = session.borrow()
        assert session._worker is None
        assert session.alive
        assert session.expires_at == seat.ends_at
        assert session.id == license_.sessions[0].id
        with pytest.raises(LeaseRefusedError, match="until"):
            session.borrow()
        seat.return_()
        assert not session.alive
        assert session.open().alive
        assert session._worker is not None
    assert license_.sessions == []


def test_an_open_license_and_a_seat_borrow(server: FakeServer, tmp_path: Path) -> None:
    license_ = server.issue("Floating", seats=2, max_borrow_days=30)
    one = server.client(license_, folder=tmp_path / "1", hardware_id="1")
    with one.open() as opened:
        opened.borrow(3)
        assert opened.seat.held
    two = server.client(license_, folder=tmp_path / "2", hardware_id="2", seat_mode="Session")
    with two.seat() as seat:
        seat.borrow(3)
    assert [lease.state for lease in license_.leases] == ["Open", "Open"]
    three = server.client(server.issue("Perpetual"), folder=tmp_path / "3")
    with three.open() as opened, pytest.raises(LeaseRefusedError) as error:
        opened.borrow()
    assert code_of(error) == "LeaseLimitReached"


@pytest.mark.parametrize("days", [0, 367, True, 1.5, "14"])
def test_days_out_of_range_send_nothing(
    server: FakeServer, client: LicenseClient, days: Any
) -> None:
    with client.session() as session:
        sent = len(server.requests)
        with pytest.raises(ValueError, match="1 to 366"):
            session.borrow(days)
        assert len(server.requests) == sent


def test_a_session_that_is_not_open_has_nothing_to_borrow(client: LicenseClient) -> None:
    with pytest.raises(SessionLostError):
        client.session().borrow()


def test_what_the_vendor_does_not_lend(server: FakeServer, tmp_path: Path) -> None:
    found = []
    for terms in ({}, {"max_borrow_days": 7}, {"max_borrow_days": 30, "max_borrowed_seats": 1}):
        license_ = server.issue("Floating", seats=5, **terms)  # type: ignore[arg-type]
        folder = tmp_path / license_.id
        borrow(server.client(license_, folder=folder / "1", hardware_id="1"), 7) if len(
            terms
        ) > 1 else None
        with pytest.raises(LeaseRefusedError) as error:
            borrow(server.client(license_, folder=folder / "2", hardware_id="2"), 14)
        found.append((code_of(error), error.value.message))
        assert list((folder / "2").glob("*.lease")) == []
    assert {code for code, _ in found} == {"LeaseLimitReached"}
    assert len({message for _, message in found}) == 3


def test_seats_that_are_away_count(server: FakeServer, tmp_path: Path) -> None:
    license_ = server.issue("Floating", seats=1, max_borrow_days=30)
    borrow(server.client(license_, folder=tmp_path / "1", hardware_id="1"))
    license_.revoke()
    assert len(license_.sessions) == 1
    server.advance(days=14, minutes=4)
    assert len(license_.sessions) == 1
    server.advance(minutes=1)
    assert license_.sessions == []
    assert license_.leases[0].state == "Ended"


def test_a_forced_recall_frees_the_seat(client: LicenseClient, license_: FakeLicense) -> None:
    seat = borrow(client)
    license_.leases[0].recall(force=True)
    assert license_.sessions == []
    assert client.validate_offline().lease_ends_at is not None
    seat.return_()
    assert license_.leases[0].state == "Ended"


def test_a_forked_device_borrows_again_when_the_vendor_allows_it(
    client: LicenseClient, license_: FakeLicense, tmp_path: Path
) -> None:
    seat = borrow(client)
    old = lease_file(tmp_path).read_text()
    seat.renew(20)
    lease_file(tmp_path).write_text(old)
    with pytest.raises(LeaseRefusedError) as error:
        seat.return_()
    assert code_of(error) == "LeaseForked"
    assert list(tmp_path.glob("*.lease")) == []
    with pytest.raises(LeaseRefusedError) as error:
        borrow(client)
    assert code_of(error) == "LeaseForked"
    license_.leases[0].acknowledge()
    assert borrow(client).seq == 1


def test_a_return_after_a_renewal_whose_answer_was_lost(
    server: FakeServer, client: LicenseClient, license_: FakeLicense
) -> None:
    seat = borrow(client)
    server.lose_next_response(times=9, on=f"/leases/{seat.lease_id}/renew")
    with pytest.raises(NetworkError):
        seat.renew(30)
    server.go_online()
    assert license_.leases[0].seq == 2
    seat.return_()
    assert license_.leases[0].state == "Returned"


def test_what_the_device_refuses_by_itself_settles_no_renewal(
    server: FakeServer, client: LicenseClient, license_: FakeLicense
) -> None:
    seat = borrow(client)
    server.lose_next_response(times=9, on=f"/leases/{seat.lease_id}/renew")
    with pytest.raises(NetworkError):
        seat.renew(20)
    server.go_offline()
    with pytest.raises(NetworkError):
        seat.return_()
    server.go_online()
    with pytest.raises(LeaseRefusedError):
        seat.renew(20)
    assert client.borrowed_seat() is None
    assert license_.leases[0].state == "Returned"


def test_a_renewal_with_other_days_after_a_lost_answer(
    server: FakeServer, client: LicenseClient
) -> None:
    seat = borrow(client)
    server.lose_next_response(times=9, on=f"/leases/{seat.lease_id}/renew")
    with pytest.raises(NetworkError):
        seat.renew(20)
    server.go_online()
    assert seat.renew(30).seq == 3


def test_a_loan_that_was_refused_after_a_lost_answer_is_begun_anew(
    server: FakeServer, client: LicenseClient, tmp_path: Path, license_: FakeLicense
) -> None:
    with client.session() as session:
        server.fail_next("ConnectionLost", times=9, on="/leases")
        with pytest.raises(NetworkError):
            session.borrow(7)
        server.go_online()
        license_.sessions[0].disconnect()
    kept = json.loads(lease_file(tmp_path).read_text())
    assert kept.keys() == {"pending"}
    assert borrow(client, 9).seq == 1
    assert json.loads(lease_file(tmp_path).read_text()).keys() == {"token", "sessionId"}


def test_a_return_is_reported_before_the_next_loan(
    server: FakeServer, client: LicenseClient, license_: FakeLicense
) -> None:
    seat = borrow(client)
    server.go_offline()
    for _ in range(2):
        with pytest.raises(NetworkError):
            seat.return_()
    server.go_online()
    assert borrow(client).lease_id != seat.lease_id
    assert [lease.state for lease in license_.leases] == ["Returned", "Open"]
    assert paths(server).count(f"/leases/{seat.lease_id}/return") >= 1


def test_a_refusal_is_forgotten_by_what_is_signed_later(
    client: LicenseClient, license_: FakeLicense, server: FakeServer
) -> None:
    borrow(client)
    license_.suspend()
    assert client.validate().status == "Suspended"
    assert client.validate_offline().status == "Suspended"
    server.advance(minutes=1)
    license_.reinstate()
    assert client.validate().lease_ends_at is not None
    assert client.validate_offline().status == "Valid"


def test_a_license_that_is_open_without_the_server_needs_one_when_its_lease_ends(
    server: FakeServer, client: LicenseClient
) -> None:
    borrow(client, 1)
    server.go_offline()
    with client.open() as opened:
        assert opened.seat.held
        server.advance(days=1)
        assert not opened.seat.held
    with pytest.raises(OnlineRequiredError):
        client.open()


def test_a_folder_that_cannot_be_written_sends_nothing(
    server: FakeServer, client: LicenseClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object) -> None:
        raise PermissionError(13, "Permission denied")

    with client.session() as session:
        monkeypatch.setattr("licet._kept_file.write_own", refuse)
        with pytest.raises(LicenseFileError, match="Permission denied"):
            session.borrow()
        assert session.alive
    assert "/leases" not in paths(server)


@pytest.mark.parametrize(
    "text",
    ["", "[]", "{", '{"token": 7}', '{"pending": []}', '{"pending": {"days": "1"}}', "\x00", "7"],
)
def test_a_damaged_file_is_none(tmp_path: Path, text: str) -> None:
    path = tmp_path / "x.lease"
    path.write_text(text)
    assert LeaseFile(path).read() == NOTHING_KEPT


def test_a_receipt_that_is_damaged_is_dropped(client: LicenseClient, tmp_path: Path) -> None:
    borrow(client)
    lease_file(tmp_path).write_text('{"returning": "x"}')
    assert client.borrowed_seat() is None
    assert list(tmp_path.glob("*.lease")) == []


def test_what_is_kept_is_read_again(tmp_path: Path) -> None:
    kept = KeptLease("t", "s", PendingRequest("k", 3, "s", 2), "r")
    file = LeaseFile(tmp_path / "x.lease")
    assert file.update(lambda _: kept) == kept
    assert file.read() == kept
    assert file.update(lambda _: NOTHING_KEPT) == NOTHING_KEPT
    assert not file.path.exists()


def test_the_async_client(server: FakeServer, license_: FakeLicense, tmp_path: Path) -> None:
    async def use(client: AsyncLicenseClient) -> None:
        async with client.open() as opened:
            seat = await opened.borrow(7)
            assert opened.seat.held
        server.go_offline()
        async with client.session() as session:
            assert session.alive
        server.go_online()
        found = await client.borrowed_seat()
        assert found is not None
        assert (found.lease_id, (await found.renew(9)).seq) == (seat.lease_id, 2)
        await found.return_()
        assert await client.borrowed_seat() is None
        async with client.session() as session:
            assert session.alive
            assert session.seats_used == 1
        await client.aclose()

    asyncio.run(use(server.async_client(license_, folder=tmp_path)))
    assert [lease.state for lease in license_.leases] == ["Returned"]
    assert license_.sessions == []


def test_one_copy_at_a_time_changes_a_lease(tmp_path: Path) -> None:
    one, other = (LeaseFile(tmp_path / "x.lease") for _ in range(2))
    first = one.turn.begin()
    assert first is not None
    assert other.turn.begin() is None
    one.turn.end(first)
    second = other.turn.begin()
    assert second is not None
    other.turn.end(second)


def test_a_return_that_another_copy_reports_is_left_to_it(
    server: FakeServer, client: LicenseClient, license_: FakeLicense
) -> None:
    seat = borrow(client)
    server.go_offline()
    with pytest.raises(NetworkError):
        seat.return_()
    server.go_online()
    leases = client._core.leases
    busy = leases.turn.begin()
    assert client.borrowed_seat() is None
    assert license_.leases[0].state == "Open"
    leases.turn.end(busy)
    assert client.borrowed_seat() is None
    assert license_.leases[0].state == "Returned"


def test_a_renewal_that_may_have_been_made_is_kept_until_it_is_settled(
    server: FakeServer, client: LicenseClient, license_: FakeLicense
) -> None:
    seat = borrow(client)
    path = f"/leases/{seat.lease_id}/renew"
    server.lose_next_response(times=9, on=path)
    with pytest.raises(NetworkError):
        seat.renew(30)
    server.go_online()
    server.fail_next("ApiKeyRefused", on=path)
    with pytest.raises(LicetError):
        seat.renew(30)
    assert seat.renew(30).seq == license_.leases[0].seq == 2


def test_a_refused_loan_leaves_a_lease_that_a_wrong_clock_hides(
    server: FakeServer, license_: FakeLicense, tmp_path: Path
) -> None:
    seat = borrow(server.client(license_, folder=tmp_path))
    wrong = server.client(license_, folder=tmp_path, clock=lambda: START - timedelta(days=40))
    assert wrong.borrowed_seat() is None
    with pytest.raises(LeaseRefusedError, match="until"):
        borrow(wrong)
    found = server.client(license_, folder=tmp_path).borrowed_seat()
    assert found is not None
    assert found.lease_id == seat.lease_id
