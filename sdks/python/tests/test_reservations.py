"""Reserved credits: what the conformance suite does not see, in process and without waiting."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from datetime import UTC, datetime
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from licet import (
    AsyncLicenseClient,
    ConnectionLostError,
    InsufficientBalanceError,
    LeaseRefusedError,
    LicenseClient,
    LicenseFileError,
    LicetError,
    NetworkError,
    RequestRefusedError,
    ReservedCredits,
    UnexpectedReplyError,
)
from licet._credits_file import NO_CREDITS, CreditStore
from licet._journal_line import genesis
from licet._transport import TransportReply, TransportRequest
from licet.testing import FakeLicense, FakeServer

pytestmark = pytest.mark.usefixtures("no_pauses")
START = datetime(2030, 1, 1, 12, 0, tzinfo=UTC)


@pytest.fixture
def server() -> FakeServer:
    return FakeServer(clock=lambda: START)


@pytest.fixture
def license_(server: FakeServer) -> FakeLicense:
    return server.issue(
        "MeteredCount", initial_meter_balance=20, max_borrow_days=30, max_offline_credits=15
    )


@pytest.fixture
def client(server: FakeServer, license_: FakeLicense, tmp_path: Path) -> LicenseClient:
    return server.client(license_, folder=tmp_path)


def paths(server: FakeServer) -> list[str]:
    return [request.path for request in server.requests]


def action(reserved: ReservedCredits, name: str) -> str:
    return f"/leases/{reserved.lease_id}/{name}"


def kept(folder: Path) -> dict[str, Any]:
    [path] = folder.glob("*.credits")
    content: dict[str, Any] = json.loads(path.read_text())
    return content


def test_the_async_client_reserves_spends_and_returns(
    server: FakeServer, license_: FakeLicense, tmp_path: Path
) -> None:
    async def use(client: AsyncLicenseClient) -> None:
        reserved = await client.reserve("10", days=7)
        assert (reserved.amount, reserved.seq) == (10, 1)
        server.go_offline()
        charge = await client.consume("export", 4)
        assert (charge.reserved, charge.balance) == (True, 6)
        async with client.open() as opened:
            assert (await opened.consume("export")).balance == 5
        server.go_online()
        await reserved.report()
        assert (reserved.unreported, reserved.remaining) == (0, 5)
        assert (await reserved.renew(20)).seq == 2
        found = await client.reserved_credits()
        assert found is not None
        await found.return_()
        assert await client.reserved_credits() is None
        await client.aclose()

    asyncio.run(use(server.async_client(license_, folder=tmp_path)))
    assert license_.balance == 15


def test_the_balance_of_an_open_license_is_that_of_the_server(client: LicenseClient) -> None:
    client.reserve(10)
    with client.open() as opened:
        assert opened.consume("export", 4).reserved
        assert opened.balance is not None
        assert opened.balance.balance == 10


def test_a_float_is_no_amount_and_json_has_to_keep_the_digits(
    client: LicenseClient, tmp_path: Path
) -> None:
    wrong: Any = 0.5
    with pytest.raises(TypeError, match="float"):
        client.reserve(wrong)
    for value in (0, "-1", "NaN", "many", "0.0000001", Decimal(10) ** 16, "123456789012.123457"):
        with pytest.raises(ValueError, match="amount"):
            client.reserve(value)
    assert list(tmp_path.glob("*.credits")) == []


@pytest.mark.parametrize("days", [0, 367, True])
def test_days_out_of_range_send_nothing(
    server: FakeServer, client: LicenseClient, days: int
) -> None:
    with pytest.raises(ValueError, match="days"):
        client.reserve(1, days)
    assert paths(server) == []


def test_what_has_ended_is_returned_before_more_is_reserved(
    server: FakeServer, client: LicenseClient, license_: FakeLicense
) -> None:
    first = client.reserve(10, days=1)
    client.consume("export", 4)
    server.advance(days=2)
    second = client.reserve(5, days=1)
    assert (second.remaining, second.spent) == (5, 0)
    assert license_.balance == 20 - 4 - 5
    assert [lease.state for lease in license_.leases] == ["Returned", "Open"]
    assert first.remaining == 0


def test_an_object_of_what_has_ended_reports_and_renews_still(
    server: FakeServer, client: LicenseClient
) -> None:
    reserved = client.reserve(10, days=1)
    client.consume("export", 4)
    server.advance(days=2)
    reserved.report()
    assert reserved.unreported == 0
    assert reserved.renew(days=3).ends_at > server.now
    assert client.consume("export").balance == 5


def test_more_is_not_reserved_while_some_is(client: LicenseClient) -> None:
    client.reserve(5)
    with pytest.raises(LeaseRefusedError, match="until"):
        client.reserve(5)


def test_a_renewal_whose_answer_was_lost_is_known_before_the_next_report(
    server: FakeServer, client: LicenseClient, license_: FakeLicense
) -> None:
    reserved = client.reserve(10)
    server.lose_next_response(times=9, on=action(reserved, "renew"))
    with pytest.raises(NetworkError):
        reserved.renew(20)
    server.go_online()
    client.consume("export", 2)
    reserved.report()
    found = client.reserved_credits()
    assert found is not None
    assert (found.seq, found.unreported) == (2, 0)
    assert license_.leases[0].state == "Open"


def test_a_return_after_a_renewal_whose_answer_was_lost_is_no_fork(
    server: FakeServer, client: LicenseClient, license_: FakeLicense
) -> None:
    reserved = client.reserve(10)
    client.consume("export", 2)
    server.lose_next_response(times=9, on=action(reserved, "renew"))
    with pytest.raises(NetworkError):
        reserved.renew(20)
    server.go_online()
    reserved.return_()
    assert (license_.leases[0].state, license_.balance) == ("Returned", 18)


@pytest.mark.parametrize("name", ["report", "renew"])
def test_what_the_device_refuses_by_itself_settles_no_renewal(
    server: FakeServer, client: LicenseClient, license_: FakeLicense, name: str
) -> None:
    reserved = client.reserve(10)
    server.lose_next_response(times=9, on=action(reserved, "renew"))
    with pytest.raises(NetworkError):
        reserved.renew(20)
    server.go_offline()
    with pytest.raises(NetworkError):
        reserved.return_()
    server.go_online()
    with pytest.raises(LeaseRefusedError):
        getattr(reserved, name)()
    assert client.reserved_credits() is None
    assert (license_.leases[0].state, license_.balance) == ("Returned", 20)


def test_a_server_that_was_restored_gets_all_lines_again(
    client: LicenseClient, license_: FakeLicense
) -> None:
    reserved = client.reserve(10)
    client.consume("export", 2)
    reserved.report()
    hold = license_._license.leases[0].hold
    assert hold is not None
    hold.settled, hold.head, hold.used = 0, genesis(reserved.lease_id), Decimal(0)
    client.consume("export", 3)
    reserved.report()
    assert (hold.settled, hold.used) == (2, 5)


def test_a_forced_recall_ends_the_credits_at_the_next_report(
    client: LicenseClient, license_: FakeLicense, tmp_path: Path
) -> None:
    reserved = client.reserve(10)
    client.consume("export", 2)
    license_.leases[0].recall(force=True)
    reserved.report()
    assert client.reserved_credits() is None
    assert list(tmp_path.glob("*.credits")) == list(tmp_path.glob("*.journal")) == []
    assert not client.consume("export").reserved
    with pytest.raises(LeaseRefusedError, match="Borrow or reserve again"):
        reserved.report()
    reserved.return_()


def test_a_fork_that_is_found_at_the_return_is_told_and_forgotten(
    client: LicenseClient, license_: FakeLicense, tmp_path: Path
) -> None:
    reserved = client.reserve(10)
    saved = {path: path.read_bytes() for path in tmp_path.glob("*.*") if "lock" not in path.name}
    client.consume("export", 2)
    reserved.report()
    for path, content in saved.items():
        path.write_bytes(content)
    client.consume("export", 3)
    with pytest.raises(LeaseRefusedError) as refused:
        reserved.return_()
    assert refused.value.error_code == "LeaseForked"
    assert client.reserved_credits() is None
    with pytest.raises(LeaseRefusedError):
        client.reserve(1)
    license_.leases[0].acknowledge()
    assert client.reserve(1).amount == 1


def test_a_charge_whose_answer_was_lost_may_have_been_made(
    server: FakeServer, client: LicenseClient
) -> None:
    client.reserve(2)
    server.lose_next_response(times=9, on="/meter/consume")
    with pytest.raises(ConnectionLostError) as lost:
        client.consume("export", 3, idempotency_key="order-1")
    assert lost.value.idempotency_key == "order-1"
    server.go_online()
    assert client.consume("export", 3, idempotency_key="order-1").replayed


def test_without_a_server_the_rest_is_all_there_is(
    server: FakeServer, license_: FakeLicense, client: LicenseClient, tmp_path: Path
) -> None:
    client.reserve(2)
    options = server.options(license_, folder=tmp_path)
    del options["server_base_endpoint"]
    with LicenseClient(**options) as away:
        with pytest.raises(InsufficientBalanceError) as refused:
            away.consume("export", 3)
        assert (refused.value.cost, refused.value.balance) == (3, 2)
        assert refused.value.idempotency_key is not None


def test_a_feature_that_has_no_price_is_the_servers_to_answer(
    server: FakeServer, tmp_path: Path
) -> None:
    license_ = server.issue("MeteredToken", max_borrow_days=30, max_offline_credits=100)
    server.set_price("Export", "2.5")
    client = server.client(license_, folder=tmp_path)
    client.reserve(100)
    server.set_price("render", 1)
    charge = client.consume("EXPORT", 3)
    assert (charge.feature_name, charge.cost, charge.reserved) == ("Export", Decimal("7.5"), True)
    assert not client.consume("render").reserved
    with pytest.raises(RequestRefusedError):
        client.consume("import")


def test_a_key_that_was_charged_online_is_not_charged_again_by_the_report(
    client: LicenseClient, license_: FakeLicense
) -> None:
    client.consume("export", 2, idempotency_key="order-1")
    reserved = client.reserve(10)
    assert client.consume("export", 2, idempotency_key="order-1").reserved
    reserved.return_()
    assert license_.balance == 18
    assert client.consume("export", 2, idempotency_key="order-1").replayed


class Altered:
    """A connection whose answers about leases are altered."""

    def __init__(self, server: FakeServer, alter: Callable[[dict[str, Any]], None]) -> None:
        self._transport, self._alter = server.transport, alter

    def send(self, request: TransportRequest) -> TransportReply:
        reply = self._transport.send(request)
        if "/leases" not in request.url or reply.status >= 300:
            return reply
        content = json.loads(reply.body)
        self._alter(content)
        return TransportReply(reply.status, reply.headers, json.dumps(content).encode())

    def close(self) -> None:
        return


@pytest.mark.parametrize("token", ["not a token", None, 7])
def test_an_answer_that_is_no_lease_is_not_kept(
    server: FakeServer, license_: FakeLicense, tmp_path: Path, token: object
) -> None:
    altered = Altered(server, lambda content: content.update(lease=token))
    options = server.options(license_, folder=tmp_path)
    with LicenseClient(transport=altered, **options) as client:
        with pytest.raises(UnexpectedReplyError, match="cannot be trusted"):
            client.reserve(10)
        assert client.reserved_credits() is None
    assert "token" not in kept(tmp_path)
    with server.client(license_, folder=tmp_path) as again:
        assert again.reserve(10).remaining == 10
    assert len(license_.leases) == 1


def test_a_renewal_is_answered_by_a_later_token_of_the_same_credits(
    server: FakeServer, license_: FakeLicense, client: LicenseClient, tmp_path: Path
) -> None:
    reserved = client.reserve(10)
    first = kept(tmp_path)["token"]
    reserved.renew(20)
    second = kept(tmp_path)["token"]
    altered = Altered(server, lambda content: content.update(lease=first))
    with LicenseClient(transport=altered, **server.options(license_, folder=tmp_path)) as misled:
        found = misled.reserved_credits()
        assert found is not None
        with pytest.raises(UnexpectedReplyError, match="older"):
            found.renew(25)
    assert kept(tmp_path)["token"] == second


@pytest.mark.parametrize(
    "text",
    [
        "",
        "[]",
        '{"token": 7}',
        '{"pending": {"days": "1"}}',
        '{"pending": {"idempotencyKey": "k", "days": 1, "amount": "1e3"}}',
        '{"reported": -1}',
        '{"reported": "1"}',
    ],
)
def test_a_damaged_file_holds_nothing(tmp_path: Path, text: str) -> None:
    (tmp_path / "x.credits").write_text(text)
    assert CreditStore(tmp_path / "x.json").kept.read() == NO_CREDITS


def test_a_return_that_is_damaged_on_disk_is_forgotten(
    server: FakeServer, client: LicenseClient, tmp_path: Path
) -> None:
    client.reserve(10)
    [path] = tmp_path.glob("*.credits")
    path.write_text('{"returning": "a.b"}')
    client.validate()
    assert not path.exists()
    assert not any(path.endswith("/return") for path in paths(server))


def test_a_return_that_another_copy_reports_is_left_to_it(
    server: FakeServer, client: LicenseClient, license_: FakeLicense
) -> None:
    reserved = client.reserve(10)
    server.go_offline()
    with pytest.raises(NetworkError):
        reserved.return_()
    server.go_online()
    turn = client._core.credits.turn
    busy = turn.begin()
    assert client.reserved_credits() is None
    assert license_.leases[0].state == "Open"
    turn.end(busy)
    client.reserved_credits()
    assert license_.leases[0].state == "Returned"


def test_a_journal_that_is_written_to_for_too_long_is_an_error(
    server: FakeServer, license_: FakeLicense, client: LicenseClient, tmp_path: Path
) -> None:
    client.reserve(10)
    moment = client._core.credits.moment
    busy = moment.begin()
    with server.client(license_, folder=tmp_path, timeout=0.01) as other:
        found = other.reserved_credits()
        assert found is not None
        server.go_offline()
        for use in (lambda: other.consume("export"), found.return_):
            with pytest.raises(LicenseFileError, match="Another copy"):
                use()
        server.go_online()
    moment.end(busy)
    assert client.consume("export").balance == 9


def test_a_lost_journal_is_no_refill_and_the_device_gets_nothing_new(
    client: LicenseClient, license_: FakeLicense, tmp_path: Path
) -> None:
    reserved = client.reserve(10)
    client.consume("export", 4)
    [journal] = tmp_path.glob("*.journal")
    journal.unlink()
    assert client.reserved_credits() is None
    assert not client.consume("export").reserved
    with pytest.raises(LicetError):
        reserved.report()
    with pytest.raises(LeaseRefusedError):
        client.reserve(1)
    reserved.return_()
    assert (license_.leases[0].state, license_.leases[0].held) == ("Open", 10)
