"""The license that becomes of a found one."""

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from licet_server.importing.rules.model import (
    STANDS_FOR_NO_END,
    BadRecord,
    FoundDevice,
    FoundLicense,
)
from licet_server.importing.rules.terms import ReadyLicense, ready

END = datetime(2031, 1, 1, tzinfo=UTC)


def found(**fields: Any) -> FoundLicense:
    given = {"place": "1", "product": "p", "key": "OLD-KEY-0001", "receiver": "a@example.com"}
    return FoundLicense(**{**given, **fields})


def become(**fields: Any) -> ReadyLicense:
    return ready(found(**fields), receiver=None)


def devices(count: int) -> list[FoundDevice]:
    return [FoundDevice(hardware_id=f"pc-{n}", since=END + timedelta(days=n)) for n in range(count)]


@pytest.mark.parametrize(
    ("fields", "model"),
    [
        ({}, "Perpetual"),
        ({"ends_at": END}, "Subscription"),
        ({"ends_at": END, "is_trial": True}, "Trial"),
        ({"seats": 1}, "NodeLocked"),
        ({"seats": 5, "ends_at": END}, "Concurrent"),
        ({"seats": 5, "is_floating": True}, "Floating"),
        ({"seats": 1, "is_floating": True}, "Floating"),
        ({"model": "Floating", "seats": 2}, "Floating"),
    ],
)
def test_the_model_follows_from_the_terms(fields: dict[str, Any], model: str) -> None:
    assert become(**fields).carried.draft.type == model


@pytest.mark.parametrize(
    ("fields", "reason"),
    [
        ({"key": "short"}, "the key must have 8 to 128"),
        ({"key": "x" * 129}, "the key must have 8 to 128"),
        ({"key": "schlüssel"}, "the key must have 8 to 128"),
        ({"key": "1.23457E+15"}, "1.23457E.15 is a number that a spreadsheet has rounded"),
        ({"key": "1,23457e15"}, "1,23457e15 is a number that a spreadsheet has rounded"),
        ({"key": "1,23457e+15"}, "a spreadsheet has rounded"),
        ({"key": "123.457E+12"}, "a spreadsheet has rounded"),
        ({"key": "123457E+12"}, "a spreadsheet has rounded"),
        ({"key": "1,23457E-05"}, "a spreadsheet has rounded"),
        ({"key": "1234567890123450000"}, "a spreadsheet has rounded"),
        ({"key": "+1.23457E 15"}, "a spreadsheet has rounded"),
        ({"key": "1.23457E+15.0"}, "a spreadsheet has rounded"),
        ({"key": "12345678901234567.0"}, "a spreadsheet has rounded"),
        ({"key": "1.234.567.890.123.000"}, "a spreadsheet has rounded"),
        ({"key": "#########"}, "a spreadsheet has rounded"),
        ({"model": "Lifetime"}, "type must be one of"),
        ({"model": "MeteredToken"}, "metered licenses cannot be imported"),
        ({"model": "Trial"}, "expirationDate is required"),
        ({"model": "Floating"}, "maxActiveUsersCount is required"),
        ({"is_floating": True}, "a floating license needs a number of seats"),
        ({"seats": 0}, "maxActiveUsersCount"),
        ({"seats": 2_000_000}, "maxActiveUsersCount"),
        ({"receiver": None, "seats": 1}, "name one for such licenses"),
        ({"receiver": "somebody"}, "its email address is not valid"),
        ({"ends_at": datetime(9999, 1, 1, tzinfo=UTC)}, "before the year 9000"),
    ],
)
def test_license_that_breaks_a_rule_is_reported(fields: dict[str, Any], reason: str) -> None:
    with pytest.raises(BadRecord, match=reason):
        become(**fields)


def test_licenses_without_address_go_to_the_given_receiver() -> None:
    def issued_to(otherwise: str | None, /, **fields: Any) -> str | None:
        return ready(found(**fields), receiver=otherwise).carried.draft.issued_to

    assert issued_to("b@example.com", receiver=None, seats=1) == "b@example.com"
    assert issued_to("b@example.com") == "a@example.com"
    assert issued_to(None, receiver=None) is None  # a perpetual one needs none


def test_a_term_may_be_over() -> None:
    assert become(ends_at=datetime(2001, 1, 1, tzinfo=UTC)).carried.draft.type == "Subscription"


def test_the_newest_devices_take_the_seats() -> None:
    carried = become(seats=2, devices=devices(3))
    assert [item.hardware_id for item in carried.devices] == ["pc-2", "pc-1"]
    assert carried.lost == ["the oldest devices, because there are more than seats"]
    bound = become(seats=1, devices=devices(2))
    assert [item.hardware_id for item in bound.devices] == ["pc-1"]
    assert len(become(devices=devices(9)).devices) == 9  # no cap


def test_sessions_take_the_seats_of_a_floating_license() -> None:
    carried = become(seats=5, is_floating=True, devices=devices(1))
    assert (carried.devices, carried.lost) == ([], ["devices, because sessions take the seats"])


def test_duplicate_device_takes_one_seat() -> None:
    carried = become(seats=3, devices=devices(1) * 2)
    assert len(carried.devices) == 1
    assert len(carried.lost) == 1


def test_device_whose_id_was_cut_is_omitted_and_reported() -> None:
    whole = "h1m-" + "0123456789abcdef0123456789abcdef01234567"
    found = [FoundDevice(hardware_id=item) for item in (whole, whole[:20], whole.upper())]
    carried = become(seats=3, devices=found)
    assert [item.hardware_id for item in carried.devices] == [whole]
    assert len(carried.lost) == 1


def test_device_whose_id_a_spreadsheet_has_rounded_is_omitted_and_reported() -> None:
    found = [FoundDevice(hardware_id=item) for item in ("pc-1", "4.71234E+14")]
    carried = become(seats=3, devices=found)
    assert [item.hardware_id for item in carried.devices] == ["pc-1"]
    assert len(carried.lost) == 1


def test_too_long_values_are_omitted_and_reported() -> None:
    pairs = {f"n{number}": "v" for number in range(60)} | {"long": "v" * 1001, "": "v"}
    ready_ = become(metadata=pairs, notes="ü" * 20_000, name="n" * 300)
    draft = ready_.carried.draft
    assert (len(draft.metadata), len(ready_.lost)) == (50, 2)
    assert len((draft.notes or "").encode()) <= 20_480
    assert len(draft.license_name or "") == 200


def test_trial_with_seats_becomes_another_model() -> None:
    assert become(seats=1, ends_at=END, is_trial=True).lost == ["that it is a trial"]


def test_seats_without_a_place_in_the_model_are_reported() -> None:
    assert len(become(model="Perpetual", seats=3).lost) == 1
    assert become(model="NodeLocked", seats=1).lost == []


def test_missing_end_is_reported_with_the_date_that_means_never() -> None:
    with pytest.raises(BadRecord, match="expirationDate is required for Trial; it has an expir"):
        become(model="Trial", lost=[STANDS_FOR_NO_END])


@pytest.mark.parametrize(
    "key",
    [
        "1234E567",
        "12345678E10",
        "1234567890123456",
        "123456789012345",
        "12345678-E+15",
        "123.456.789.012",
        "#KEY-12345",
    ],
)
def test_keys_that_only_resemble_rounded_numbers_are_kept(key: str) -> None:
    assert become(key=key).carried.draft.license_key == key
