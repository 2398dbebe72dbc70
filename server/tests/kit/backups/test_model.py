"""Names of segments, and which backups are needed."""

from datetime import UTC, datetime, timedelta

import pytest

from licet_server.kit.backups.model import (
    BaseBackup,
    is_segment,
    kept,
    newest_before,
    segment_after,
    segment_of,
    unbroken,
)

NOON = datetime(2030, 1, 15, 12, 0, tzinfo=UTC)


def backup(days_ago: int) -> BaseBackup:
    at = NOON - timedelta(days=days_ago)
    return BaseBackup(
        id=f"{days_ago}",
        series="s",
        major=18,
        started_at=at,
        finished_at=at,
        last_segment="000000010000000000000002",
        parts={},
        size=0,
    )


@pytest.mark.parametrize(
    ("segment", "following"),
    [
        ("000000010000000000000001", "000000010000000000000002"),
        ("0000000100000000000000FF", "000000010000000100000000"),
        ("0000000A000000FF000000FF", "0000000A0000010000000000"),
    ],
)
def test_segments_follow_each_other(segment: str, following: str) -> None:
    assert segment_after(segment) == following
    assert is_segment(following)


@pytest.mark.parametrize("name", ["00000002.history", "000000010000000000000001.partial", "0001"])
def test_other_files_of_the_archive_are_no_segments(name: str) -> None:
    assert not is_segment(name)


@pytest.mark.parametrize(
    ("position", "segment"),
    [
        ("0/2000120", "000000010000000000000002"),
        ("0/3000000", "000000010000000000000002"),
        ("0/3000001", "000000010000000000000003"),
        ("1/28", "000000010000000100000000"),
        ("A/FF000028", "000000010000000A000000FF"),
    ],
)
def test_the_segment_of_a_position_has_the_byte_before_it(position: str, segment: str) -> None:
    assert segment_of(1, position) == segment


def test_what_follows_ends_at_the_first_gap() -> None:
    names = [f"0000000100000000000000{number:02X}" for number in (1, 2, 3, 4, 6, 7)]
    assert unbroken(names[0], names) == names[:4]
    assert unbroken(names[1], names) == names[1:4]
    assert unbroken(names[4], names) == names[4:]
    assert unbroken("000000010000000000000005", names) == []
    assert unbroken("000000010000000000000008", names) == []


def test_the_newest_backup_before_a_time_is_chosen() -> None:
    backups = [backup(3), backup(2), backup(1)]
    assert newest_before(backups, None) == backups[2]
    assert newest_before(backups, NOON - timedelta(days=2)) == backups[1]
    assert newest_before(backups, NOON - timedelta(days=2, seconds=1)) == backups[0]
    assert newest_before(backups, NOON - timedelta(days=4)) is None


def test_one_backup_before_the_kept_days_is_needed() -> None:
    backups = [backup(9), backup(8), backup(6), backup(1)]
    assert kept(backups, NOON - timedelta(days=7)) == backups[1:]
    assert kept(backups[:2], NOON - timedelta(days=7)) == backups[1:2]
    assert kept(backups[2:], NOON - timedelta(days=7)) == backups[2:]
