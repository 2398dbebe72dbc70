"""Connections go to checked addresses only."""

import asyncio
from collections.abc import AsyncIterator
from dataclasses import replace
from ipaddress import ip_address
from pathlib import Path

import pytest
from httpcore import AsyncConnectionPool
from testkit import FakeClock, Owner
from webhooks.factories import Json, deliveries, make_webhook, record, shown
from webhooks.internet import ByName, Internet, never
from webhooks.receiver import HANG, RESET, Receiver, Reply, receiving

from licet_server.kit.outbound.network import Network, NotPublic
from licet_server.kit.outbound.targets import is_public
from licet_server.kit.platform import Platform
from licet_server.webhooks.service import delivering
from licet_server.webhooks.service.delivering import deliver_due
from licet_server.worker import dispatch_events

NAME, PUBLIC, OTHER = "hooks.example.com", "8.8.8.8", "1.1.1.1"
URL = f"https://{NAME}/licet"
METADATA = "169.254.169.254"


@pytest.fixture
def internet(tmp_path: Path) -> Internet:
    return Internet(tmp_path)


@pytest.fixture
async def receiver(internet: Internet) -> AsyncIterator[Receiver]:
    """Behind the public address, with a certificate for the name."""
    async with receiving(internet.server(NAME)) as made:
        internet.wire.ports[PUBLIC] = made.port
        internet.names.lead(NAME, [PUBLIC])
        yield made


async def send_one(platform: Platform, owner: Owner, network: Network, url: str = URL) -> Json:
    """Send an event to a webhook at this URL; returns its delivery after one attempt."""
    webhook = await make_webhook(owner, url)
    await record(platform, owner, "license.created")
    await dispatch_events(platform)
    await deliver_due(platform, network)
    [delivery] = await deliveries(owner, webhook)
    assert delivery["attempts"] == 1
    await owner.ok("PUT", f"/api/webhooks/{webhook['id']}", {"enabled": False})
    return delivery


async def test_host_header_and_certificate_are_those_of_the_receiver(
    platform: Platform, owner: Owner, receiver: Receiver, internet: Internet
) -> None:
    delivery = await send_one(platform, owner, internet.network())
    assert delivery["status"] == "Delivered", delivery["lastError"]
    [request] = receiver.received
    assert request.sni == NAME
    assert request.headers["host"] == NAME
    assert internet.wire.gone_to == [PUBLIC], "the address, not the name"
    assert internet.names.asked == [NAME]


async def test_a_certificate_for_another_name_is_refused(
    platform: Platform, owner: Owner, receiver: Receiver, internet: Internet
) -> None:
    internet.names.lead("other.example.com", [PUBLIC])
    url = "https://other.example.com/"
    delivery = await send_one(platform, owner, internet.network(), url)
    assert "certificate is not valid" in delivery["lastError"]
    assert receiver.received == []


async def test_a_certificate_of_an_unknown_authority_is_refused(
    platform: Platform, owner: Owner, receiver: Receiver, internet: Internet, tmp_path: Path
) -> None:
    stranger = replace(internet.network(), trust=Internet(tmp_path).trust)
    delivery = await send_one(platform, owner, stranger)
    assert "certificate is not valid" in delivery["lastError"]
    assert receiver.received == []


async def test_a_receiver_without_tls_is_refused(
    platform: Platform, owner: Owner, internet: Internet
) -> None:
    internet.names.lead(NAME, [PUBLIC])

    def answer(_reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(b"HTTP/1.1 400 Speak plainly\r\n\r\n")

    server = await asyncio.start_server(answer, "127.0.0.1", 0)
    internet.wire.ports[PUBLIC] = server.sockets[0].getsockname()[1]
    async with server:
        delivery = await send_one(platform, owner, internet.network())
    assert "TLS connection" in delivery["lastError"]


@pytest.mark.parametrize(
    "answer",
    [
        ["127.0.0.1"],
        [METADATA],
        ["10.0.0.1"],
        ["::1"],
        ["fd00:ec2::254"],
        ["::ffff:127.0.0.1"],
        ["64:ff9b::a9fe:a9fe"],
        ["2002:7f00:1::"],
        ["0.0.0.0"],
        [PUBLIC, "127.0.0.1"],
        ["10.0.0.1", PUBLIC],
        ["2606:4700::1111", PUBLIC, "fe80::1"],
    ],
)
async def test_a_name_with_a_private_address_is_refused(
    platform: Platform, owner: Owner, receiver: Receiver, internet: Internet, answer: list[str]
) -> None:
    internet.wire.ports |= {str(ip_address(item)): receiver.port for item in answer}
    internet.names.lead(NAME, answer)
    delivery = await send_one(platform, owner, internet.network())
    assert delivery["status"] == "Pending", "the name may resolve to another address later"
    assert "not public" in delivery["lastError"]
    assert not any(address in delivery["lastError"] for address in answer)
    assert internet.wire.gone_to == []
    assert receiver.connections == 0
    allowed = await send_one(platform, owner, internet.network(allow_private=True))
    assert allowed["status"] == "Delivered", "a control: only the check prevents it"


async def test_a_dns_answer_that_changes_after_the_check_has_no_effect(
    platform: Platform, owner: Owner, receiver: Receiver, internet: Internet
) -> None:
    async with receiving(internet.server(NAME)) as inside:
        internet.wire.ports["127.0.0.1"] = inside.port
        internet.names.lead(NAME, [PUBLIC], ["127.0.0.1"])
        delivery = await send_one(platform, owner, internet.network())
        assert delivery["status"] == "Delivered"
        assert (len(receiver.received), inside.connections) == (1, 0)
        assert internet.wire.gone_to == [PUBLIC]
        # The next connection asks again, and is refused.
        later = await send_one(platform, owner, internet.network())
        assert "not public" in later["lastError"]
        assert inside.connections == 0


async def test_resolving_again_for_the_connection_would_reach_private_addresses(
    receiver: Receiver, internet: Internet
) -> None:
    """A control: the same names and network, with separate look-ups for check and connection."""

    async def check(host: str, port: int) -> list[object]:
        found = await internet.names.resolve(host, port)
        if not all(map(is_public, found)):
            raise NotPublic
        return list(found)

    async with receiving(internet.server(NAME)) as inside:
        internet.wire.ports["127.0.0.1"] = inside.port
        internet.names.lead(NAME, [PUBLIC], ["127.0.0.1"])
        backend = ByName(internet.names, internet.wire, check)  # type: ignore[arg-type]
        async with AsyncConnectionPool(
            ssl_context=internet.trust(), network_backend=backend
        ) as pool:
            await pool.request("POST", URL)
        assert len(inside.received) == 1
        assert internet.wire.gone_to == ["127.0.0.1"]


async def test_the_next_of_several_addresses_is_tried(
    platform: Platform, owner: Owner, receiver: Receiver, internet: Internet
) -> None:
    internet.names.lead(NAME, [OTHER, PUBLIC])
    delivery = await send_one(platform, owner, internet.network())
    assert delivery["status"] == "Delivered"
    assert internet.wire.gone_to == [OTHER, PUBLIC]


async def test_the_error_says_why_a_receiver_cannot_be_reached(
    platform: Platform, owner: Owner, internet: Internet
) -> None:
    network = internet.network()
    unknown = await send_one(platform, owner, network)
    assert unknown["lastError"] == "The receiver's host name cannot be resolved."
    internet.names.lead(NAME, [])
    empty = await send_one(platform, owner, network)
    assert empty["lastError"] == unknown["lastError"]
    internet.names.lead(NAME, [PUBLIC])
    nobody = await send_one(platform, owner, network)
    assert "connection failed" in nobody["lastError"]
    literal = await send_one(platform, owner, replace(network, resolve=None), f"https://{PUBLIC}/x")
    assert "connection failed" in literal["lastError"]
    assert internet.wire.gone_to == [PUBLIC, PUBLIC]


async def test_proxies_of_the_environment_are_not_used(
    platform: Platform,
    owner: Owner,
    receiver: Receiver,
    internet: Internet,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async with receiving() as proxy:
        for name in ("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "https_proxy", "all_proxy"):
            monkeypatch.setenv(name, f"http://127.0.0.1:{proxy.port}")
        delivery = await send_one(platform, owner, internet.network())
        assert delivery["status"] == "Delivered"
        assert proxy.connections == 0


async def test_a_redirect_to_a_private_address_is_not_followed(
    platform: Platform, owner: Owner, receiver: Receiver, internet: Internet
) -> None:
    receiver.says(Reply(307, headers={"location": f"http://{METADATA}/latest/meta-data/"}))
    delivery = await send_one(platform, owner, internet.network())
    assert delivery["lastResponseStatus"] == 307
    assert internet.wire.gone_to == [PUBLIC]


async def test_a_slow_receiver_fails(
    platform: Platform,
    owner: Owner,
    receiver: Receiver,
    internet: Internet,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(delivering, "ATTEMPT_SECONDS", 0.3)
    receiver.says(HANG)
    hanging = await send_one(platform, owner, internet.network())
    assert "No response arrived" in hanging["lastError"]
    receiver.says(RESET)
    broken = await send_one(platform, owner, internet.network())
    assert (broken["status"], broken["lastResponseStatus"]) == ("Pending", None)
    assert "closed" in broken["lastError"] or "broke" in broken["lastError"]
    receiver.says(Reply(200, b"begun", without_end=True))
    begun = await send_one(platform, owner, internet.network())
    assert (begun["status"], begun["lastResponseBody"]) == ("Delivered", "begun")
    unresolved = await send_one(platform, owner, replace(internet.network(), resolve=never))
    assert "No response arrived" in unresolved["lastError"]


async def test_a_connection_is_reused_while_there_is_more_to_send(
    platform: Platform, owner: Owner, receiver: Receiver, internet: Internet, clock: FakeClock
) -> None:
    webhook = await make_webhook(owner, URL)
    await record(platform, owner, *["license.created"] * 50)
    await dispatch_events(platform)
    assert await deliver_due(platform, internet.network()) == 50
    assert len({request.id for request in receiver.received}) == 50
    assert receiver.connections <= 4
    assert (await shown(owner, webhook))["lastStatus"] == "Delivered"


async def test_a_hanging_receiver_delays_no_other_and_holds_few_connections(
    platform: Platform, owner: Owner, receiver: Receiver, internet: Internet
) -> None:
    """Shown by the order of arrival: the slow receiver responds only after the other is done."""
    events = 30
    everything = asyncio.Event()
    waiting = most = 0

    async def hold(_request: object) -> Reply:
        nonlocal waiting, most
        waiting += 1
        most = max(most, waiting)
        await everything.wait()
        waiting -= 1
        return Reply()

    def take(request: object) -> Reply:
        if len(receiver.received) == events:
            everything.set()
        return Reply()

    receiver.answer = take
    async with receiving(internet.server("slow.example.com")) as slow:
        slow.answer = hold
        internet.wire.ports[OTHER] = slow.port
        internet.names.lead("slow.example.com", [OTHER])
        lame = await make_webhook(owner, "https://slow.example.com/")
        quick = await make_webhook(owner, URL)
        await record(platform, owner, *["license.created"] * events)
        await dispatch_events(platform)
        assert await deliver_due(platform, internet.network()) == 2 * events
        assert 1 <= most <= 4
        for webhook in (lame, quick):
            assert {item["status"] for item in await deliveries(owner, webhook)} == {"Delivered"}


async def test_without_concurrency_a_hanging_receiver_would_delay_all(
    platform: Platform,
    owner: Owner,
    receiver: Receiver,
    internet: Internet,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A control: with one attempt at a time, the fast receiver waits for the slow one."""

    monkeypatch.setattr(delivering, "CONCURRENT_ATTEMPTS", 1)
    monkeypatch.setattr(delivering, "ATTEMPT_SECONDS", 0.3)
    reached_before: list[int] = []
    async with receiving(internet.server("slow.example.com")) as slow:
        slow.says(HANG)
        receiver.answer = lambda _: reached_before.append(len(slow.received)) or Reply()  # type: ignore[func-returns-value]
        internet.wire.ports[OTHER] = slow.port
        internet.names.lead("slow.example.com", [OTHER])
        await make_webhook(owner, "https://slow.example.com/")
        await record(platform, owner, "license.created")
        await dispatch_events(platform)
        await make_webhook(owner, URL, "license.updated")
        await record(platform, owner, "license.updated")
        await dispatch_events(platform)
        await deliver_due(platform, internet.network())
    assert reached_before[0] >= 1


async def test_a_delivery_that_waits_too_long_for_a_slot_is_dropped(
    platform: Platform,
    owner: Owner,
    receiver: Receiver,
    internet: Internet,
    clock: FakeClock,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """So that no other process, which may claim it after the lease, sends it at the same time."""

    monkeypatch.setattr(delivering, "ATTEMPT_SECONDS", 0.3)
    monkeypatch.setattr(delivering, "START_WITHIN_SECONDS", 0.1)
    receiver.says(HANG)
    webhook = await make_webhook(owner, URL)
    await record(platform, owner, *["license.created"] * 10)
    await dispatch_events(platform)
    assert await deliver_due(platform, internet.network()) == 4
    tried = sorted(item["attempts"] for item in await deliveries(owner, webhook))
    assert tried == [0] * 6 + [1] * 4
    receiver.says(200)
    clock.advance(seconds=60)
    monkeypatch.setattr(delivering, "ATTEMPT_SECONDS", 15.0)
    monkeypatch.setattr(delivering, "START_WITHIN_SECONDS", 30.0)
    assert await deliver_due(platform, internet.network()) == 10
    assert {item["status"] for item in await deliveries(owner, webhook)} == {"Delivered"}
