"""The last Owner stays, whatever two of them do at once."""

import asyncio
from typing import Any

import pytest
from institutions.members import (
    CONFLICT,
    FORBIDDEN,
    NOT_FOUND,
    NewOwner,
    all_stored,
    at,
    enlist,
    outcome,
    place,
    roles,
    somebody_waits,
)
from sqlalchemy import text
from testkit import Owner

from licet_server.institutions.storage import institutions as storage
from licet_server.institutions.storage import members as stored
from licet_server.kit.platform import Platform


async def test_the_last_owner_stays(
    owner: Owner, admin: Owner, new_owner: NewOwner, platform: Platform
) -> None:
    second = await enlist(owner, await new_owner(), "Admin")
    before = await all_stored(platform)
    for who in (owner, admin):  # a system Admin, too, who is no member here
        for role in ("Admin", "Member", "Viewer"):
            answer = await who.send("PUT", place(owner, owner), {"role": role})
            assert outcome(answer) == CONFLICT
        assert outcome(await who.send("DELETE", place(owner, owner))) == CONFLICT
    assert await all_stored(platform) == before
    await admin.ok("PUT", place(owner, second), {"role": "Owner"})
    assert (await owner.ok("PUT", place(owner, owner), {"role": "Viewer"}))["role"] == "Viewer"
    assert outcome(await second.send("DELETE", place(owner, second))) == CONFLICT
    await owner.ok("DELETE", place(owner, owner))
    assert await roles(at(owner, second)) == {second.user_id: "Owner"}


STEPS = {"demote": ("PUT", {"role": "Admin"}), "remove": ("DELETE", None)}


@pytest.fixture
async def owners(owner: Owner, new_owner: NewOwner) -> tuple[Owner, Owner]:
    return owner, await enlist(owner, await new_owner("Second"), "Owner")


Pairs = list[tuple[str, str, bool]]
PAIRS: Pairs = [
    ("demote", "demote", False),
    ("demote", "remove", False),
    ("remove", "remove", False),
    ("remove", "remove", True),
    ("demote", "demote", True),
    ("demote", "remove", True),
]
"""What each of two Owners does: to the other one, or to himself."""


@pytest.mark.parametrize(("one", "two", "to_himself"), PAIRS)
async def test_of_two_owners_who_end_each_other_one_stays(
    owners: tuple[Owner, Owner],
    platform: Platform,
    monkeypatch: pytest.MonkeyPatch,
    one: str,
    two: str,
    to_himself: bool,
) -> None:
    """The second one comes while the first has looked for other Owners and not written yet."""
    first, second = owners
    looked, go_on = asyncio.Event(), asyncio.Event()
    look = stored.has_other_owner

    async def look_slowly(*arguments: Any) -> bool:
        found = await look(*arguments)
        looked.set()
        await go_on.wait()
        return found

    monkeypatch.setattr(stored, "has_other_owner", look_slowly)
    targets = owners if to_himself else (second, first)
    acting = []
    for who, target, step in zip(owners, targets, (one, two), strict=True):
        method, body = STEPS[step]
        acting.append(asyncio.create_task(who.send(method, place(first, target), body)))
        if len(acting) == 1:
            async with asyncio.timeout(10):
                await looked.wait()
    await somebody_waits(platform)
    go_on.set()
    answers = await asyncio.gather(*acting)
    assert answers[0].is_success
    # Whoever was an Owner when he asked is none any more, or the last one.
    assert outcome(answers[1]) in {CONFLICT, FORBIDDEN, NOT_FOUND}
    left = await _roles_stored(platform, first.institution_id)
    assert list(left.values()).count("Owner") == 1


@pytest.mark.parametrize(("one", "two", "to_himself"), PAIRS)
async def test_control_without_holding_the_institution(
    owners: tuple[Owner, Owner],
    platform: Platform,
    monkeypatch: pytest.MonkeyPatch,
    one: str,
    two: str,
    to_himself: bool,
) -> None:
    first, second = owners
    at_once = asyncio.Barrier(2)
    look = stored.has_other_owner

    async def look_together(*arguments: Any) -> bool:
        found = await look(*arguments)
        async with asyncio.timeout(10):
            await at_once.wait()
        return found

    async def hold_nothing(*_: Any) -> bool:
        return True

    monkeypatch.setattr(stored, "has_other_owner", look_together)
    monkeypatch.setattr(storage, "lock_institution", hold_nothing)
    targets = owners if to_himself else (second, first)
    answers = await asyncio.gather(
        *(
            who.send(STEPS[step][0], place(first, target), STEPS[step][1])
            for who, target, step in zip(owners, targets, (one, two), strict=True)
        )
    )
    assert all(answer.is_success for answer in answers)
    assert "Owner" not in (await _roles_stored(platform, first.institution_id)).values()


async def _roles_stored(platform: Platform, institution_id: str) -> dict[str, str]:
    statement = text("SELECT user_id::text, role FROM memberships WHERE institution_id = :id")
    async with platform.database.reading() as db:
        rows = await db.execute(statement, {"id": institution_id})
        return {row.user_id: row.role for row in rows}
