"""A rejected message says what is wrong with it, and several in a row are reported once."""

from datetime import timedelta
from typing import Any

import pytest
from connectors.factories import Stall, open_stall
from connectors.shops import SECRETS, TIMED
from testkit import FakeClock, Owner

from licet_server.connectors.rules.model import ConnectorKind
from licet_server.kit.platform import Platform
from licet_server.worker import dispatch_events


async def said(stall: Stall, **options: Any) -> str:
    shop = stall.shop()
    shop.buy()
    answer = await stall.send(shop.sent[0], **options)
    assert answer.status_code == 401
    detail: str = answer.json()["detail"]
    return detail


async def test_clock_skew_reads_differently_from_a_wrong_secret(stall: Stall) -> None:
    wrong = await said(stall, secret="whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwMfKQ9r8GKYA=")
    assert "signature of the message is wrong" in wrong
    if stall.kind not in TIMED:
        pytest.skip("this shop signs no time")
    behind = await said(stall, now=stall.clock() - timedelta(minutes=12))
    assert "12 minutes behind the clock of this server" in behind
    ahead = await said(stall, now=stall.clock() + timedelta(minutes=7))
    assert "7 minutes ahead of the clock" in ahead


async def test_blanks_and_marks_that_a_paste_brings_are_no_part_of_a_secret(
    owner: Owner, platform: Platform, clock: FakeClock
) -> None:
    kind = ConnectorKind.PADDLE
    pasted = f"\ufeff {SECRETS[kind]}\r\n"
    stall = await open_stall(owner, platform, clock, kind, signingSecret=pasted)
    shop = stall.shop()
    shop.buy()
    assert (await stall.send(shop.sent[0])).status_code == 200
    path = f"/api/connectors/{stall.connector['id']}/rotate-secret"
    await owner.ok("POST", path, {"signingSecret": "\tpdl_ntfset_other_0123456789\u200b\n"})
    answer = await stall.send(shop.sent[1], secret="pdl_ntfset_other_0123456789")
    assert answer.status_code == 200


async def told(stall: Stall) -> list[dict[str, Any]]:
    await dispatch_events(stall.platform)
    found = await stall.owner.ok("GET", "/api/notifications?pageSize=100")
    return [item for item in found["items"] if item["kind"] == "ConnectorRejected"]


async def test_the_third_rejection_in_a_row_is_reported_once(stall: Stall) -> None:
    shop = stall.shop()
    shop.buy()
    for number in range(6):
        assert len(await told(stall)) == (number >= 3)
        assert (await stall.post(shop.sent[0].raw, {})).status_code == 401
    [notification] = await told(stall)
    assert notification["subjectId"] == stall.connector["id"]
    assert notification["title"] == 'The connector "Our shop" rejects the messages of its shop'
    assert "has no signature" in notification["body"]
    stall.clock.advance(minutes=1)
    await stall.deliver(shop.sent[0])
    stall.clock.advance(minutes=1)
    for _ in range(3):
        assert (await stall.post(b"x" * 300_000, {})).status_code == 413
    assert len(await told(stall)) == 2
