"""Races over devices with real commits; whatever the order, the books balance afterwards."""

import asyncio
from typing import Any

import pytest
from devices.books import assert_books_balance, operator_of, tally_of
from devices.factories import Shop, open_shop
from testkit import Owner

from licet_server.devices import service
from licet_server.kit.errors import Refused
from licet_server.kit.events import Origin
from licet_server.kit.work import Platform
from uuid import UUID


@pytest.fixture
async def shop(owner: Owner) -> Shop:
    return await open_shop(owner)


async def test_block_is_not_lost_to_a_registration(shop: Shop, platform: Platform) -> None:
    lost = 0
    for n in range(20):
        license_ = await shop.issue("Concurrent", maxActiveUsersCount=2)
        made = (await shop.activate(license_, "machine-1")).json()
        async def block() -> None:
            async with platform.work(Origin()) as work:
                await service.block_device(work, operator_of(shop), UUID(made["activationId"]))
        await asyncio.gather(
            *(shop.activate(license_, "machine-1") for _ in range(4)),
            block(),
            *(shop.activate(license_, "machine-1") for _ in range(4)),
        )
        [device] = await shop.devices(license_)
        lost += device["status"] != "Blocked"
    assert lost == 0
