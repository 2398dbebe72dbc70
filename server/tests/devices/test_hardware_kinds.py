"""The kinds of hardware IDs that a product accepts."""

from typing import Any

import pytest
from catalog.factories import bad_fields, refusal
from devices.test_trials import set_up
from world import World

from licet_server.devices.rules.hardware import kind_of, require_whole
from licet_server.kit.errors import Refused

DIGITS = "0123456789abcdef0123456789abcdef01234567"
NOT_ACCEPTED = (403, "HardwareIdNotAccepted")


def of_kind(letter: str) -> str:
    return f"h1{letter}-{DIGITS}"


@pytest.mark.parametrize(
    ("hardware_id", "kind"),
    [
        (of_kind("m"), "m"),
        (of_kind("j").upper(), "j"),
        (f" {of_kind('n')}\n", "n"),
        (of_kind("n")[:20], "n"),
        ("h2j-" + DIGITS, "j"),
        ("machine-1", None),
        ("h1-" + DIGITS, None),
        ("h1m-anna", None),
        ("", None),
    ],
)
def test_the_kind_of_a_hardware_id_is_its_letter(hardware_id: str, kind: str | None) -> None:
    assert kind_of(hardware_id) == kind


@pytest.mark.parametrize(
    "typed",
    [of_kind("m").upper(), of_kind("m")[:20], of_kind("m") + "0", "h1m-", "h2m-" + "A" * 40],
)
def test_an_id_of_an_sdk_that_was_cut_or_changed_is_refused(typed: str) -> None:
    with pytest.raises(Refused, match="must be the whole ID"):
        require_whole(typed)


def test_whole_ids_and_those_of_applications_are_taken() -> None:
    for typed in (None, of_kind("m"), "h2m-0123", "h10m-0123", "machine-1", "h1m-anna"):
        require_whole(typed)


@pytest.mark.parametrize("letter", ["j", "n"])
async def test_a_license_for_one_machine_is_for_no_project_and_no_host_name(
    world: World, letter: str
) -> None:
    bound = await world.issue("NodeLocked")
    told = await world.validate(bound, of_kind(letter))
    assert (told["valid"], told["status"], told["activation"]) == (
        False,
        "HardwareIdNotAccepted",
        None,
    )
    assert ("CI project" in told["message"]) is (letter == "j")
    assert ("host name" in told["message"]) is (letter == "n")
    for answer in (
        await world.activate(bound, of_kind(letter)),
        await world.connect(bound, of_kind(letter)),
        await world.refresh(bound, of_kind(letter)),
    ):
        assert refusal(answer) == NOT_ACCEPTED
        assert answer.json()["detail"] == told["message"]
    assert refusal(await world.file(bound, of_kind(letter))) == NOT_ACCEPTED
    assert await world.attempts(bound) == []
    explained = await world.owner.ok(
        "POST", f"/api/licenses/{bound['id']}/explain", {"hardwareId": of_kind(letter)}
    )
    assert explained["status"] == "HardwareIdNotAccepted"
    for accepted in ("m", "c", "s", "b"):
        other = await world.issue("NodeLocked")
        assert (await world.validate(other, of_kind(accepted)))["valid"]
    for model in ("Perpetual", "Floating", "Concurrent", "MeteredCount"):
        assert (await world.activate(await world.issue(model), of_kind(letter))).is_success


async def test_the_setting_decides_for_every_model(world: World) -> None:
    await set_up(world, hardwareIdKinds=["n", "m", "n"])
    path = f"/api/products/{world.product['id']}"
    settings = (await world.owner.ok("GET", path))["settings"]
    assert settings["hardwareIdKinds"] == ["m", "n"]
    floating, bound = await world.issue("Floating"), await world.issue("NodeLocked")
    metered = await world.issue("MeteredCount")
    assert (await world.validate(floating, of_kind("s")))["status"] == "HardwareIdNotAccepted"
    charged = await world.consume(metered, hardwareId=of_kind("s"), idempotencyKey="once")
    assert refusal(charged) == NOT_ACCEPTED
    assert (await world.validate(floating))["valid"]
    assert (await world.validate(floating, "chosen-by-the-application"))["valid"]
    assert (await world.validate(bound, of_kind("n")))["valid"]
    await set_up(world, hardwareIdKinds=None)
    assert (await world.validate(bound, of_kind("n")))["status"] == "HardwareIdNotAccepted"
    assert (await world.validate(floating, of_kind("s")))["valid"]


@pytest.mark.parametrize("kinds", [[], ["x"], ["M"], "mj", [None], ["m"] * 21])
async def test_other_letters_are_bad_fields(world: World, kinds: Any) -> None:
    path = f"/api/products/{world.product['id']}"
    answer = await world.owner.send("PUT", path, {"settings": {"hardwareIdKinds": kinds}})
    assert answer.status_code == 400
    assert bad_fields(answer)[0].startswith("settings.hardwareIdKinds")
