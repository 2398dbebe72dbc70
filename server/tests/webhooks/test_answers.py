"""Responses of receivers are read in part, not unpacked, and redirects are not followed."""

import gzip

from testkit import Owner
from webhooks.factories import deliver, deliveries, make_webhook, record
from webhooks.receiver import Receiver, Reply

from licet_server.kit.platform import Platform


async def test_a_redirect_is_not_followed(
    platform: Platform, owner: Owner, receiver: Receiver
) -> None:
    webhook = await make_webhook(owner, receiver.url)
    for status in (301, 302, 303, 307, 308):
        receiver.says(Reply(status, headers={"location": f"{receiver.url}&again=1"}))
        await record(platform, owner, "license.created")
        await deliver(platform)
    assert {request.path for request in receiver.received} == {"/licet?tenant=1"}
    assert len(receiver.received) == 5
    assert {item["status"] for item in await deliveries(owner, webhook)} == {"Pending"}


async def test_only_the_start_of_a_huge_response_is_read(
    platform: Platform, owner: Owner, receiver: Receiver
) -> None:
    webhook = await make_webhook(owner, receiver.url)
    receiver.says(Reply(200, b"x" * 100_000_000))
    await record(platform, owner, "license.created")
    await deliver(platform)
    [delivery] = await deliveries(owner, webhook)
    assert delivery["status"] == "Delivered"
    assert delivery["lastResponseBody"] == "x" * 2048
    assert receiver.written < 20_000_000, "the sockets' buffers hold a little"


async def test_a_compressed_response_is_not_unpacked(
    platform: Platform, owner: Owner, receiver: Receiver
) -> None:
    webhook = await make_webhook(owner, receiver.url)
    bomb = gzip.compress(b"\0" * 30_000_000)
    receiver.says(Reply(200, bomb, {"content-encoding": "gzip"}))
    await record(platform, owner, "license.created")
    await deliver(platform)
    [delivery] = await deliveries(owner, webhook)
    assert (delivery["status"], delivery["lastResponseBody"]) == ("Delivered", None)
    assert receiver.received[0].headers["accept-encoding"] == "identity"


async def test_a_response_that_is_not_text_is_shown_with_replacements(
    platform: Platform, owner: Owner, receiver: Receiver
) -> None:
    webhook = await make_webhook(owner, receiver.url)
    receiver.says(Reply(200, b"a\0b\xff\xc3"))
    await record(platform, owner, "license.created")
    await deliver(platform)
    [delivery] = await deliveries(owner, webhook)
    assert delivery["lastResponseBody"] == "a\ufffdb\ufffd\ufffd"
