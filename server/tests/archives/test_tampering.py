"""Every way of tampering with archives is found."""

import gzip
import hashlib
import os
from collections.abc import Callable
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from archives.history import archive, archives_of, change, findings, settle, years_later
from testkit import FakeClock, Owner

from licet_server.archives.rules import Archive, ArchiveKind
from licet_server.archives.service import files
from licet_server.archives.service.files import verify_archives
from licet_server.audit.rules import Finding
from licet_server.audit.service.verifying import verify
from licet_server.kit.platform import Platform
from licet_server.metering.service.archiving import reconcile_archives

Past = dict[str, dict[str, Any]]
Tamper = Callable[[Path, Path], None]


def flip(first: Path, second: Path) -> None:
    content = bytearray(first.read_bytes())
    content[len(content) // 2] ^= 1
    first.write_bytes(content)


def cut(first: Path, second: Path) -> None:
    first.write_bytes(first.read_bytes()[:-1])


def delete(first: Path, second: Path) -> None:
    first.unlink()


def swap(first: Path, second: Path) -> None:
    contents = first.read_bytes(), second.read_bytes()
    second.write_bytes(contents[0])
    first.write_bytes(contents[1])


def double(first: Path, second: Path) -> None:
    second.write_bytes(first.read_bytes())


def bomb(first: Path, second: Path) -> None:
    size = first.stat().st_size
    first.write_bytes(gzip.compress(bytes(50_000_000))[:size].ljust(size, b"\0"))


def link(first: Path, second: Path) -> None:
    """To the very same content: what is there later is somebody else's choice."""
    elsewhere = first.with_name("elsewhere")
    first.rename(elsewhere)
    first.symlink_to(elsewhere)


def pipe(first: Path, second: Path) -> None:
    first.unlink()
    os.mkfifo(first)


FILES: dict[str, tuple[Tamper, Finding]] = {
    "flipped": (flip, Finding.ARCHIVE_CHANGED),
    "cut": (cut, Finding.ARCHIVE_CHANGED),
    "deleted": (delete, Finding.ARCHIVE_MISSING),
    "swapped": (swap, Finding.ARCHIVE_CHANGED),
    "doubled": (double, Finding.ARCHIVE_CHANGED),
    "bomb": (bomb, Finding.ARCHIVE_CHANGED),
    "link": (link, Finding.ARCHIVE_CHANGED),
    "pipe": (pipe, Finding.ARCHIVE_CHANGED),
}
CONTENTS: dict[str, Callable[[bytes], bytes]] = {
    "no gzip": lambda lines: lines,
    "cut off": lambda lines: gzip.compress(lines)[:-9],
    "damaged": lambda lines: gzip.compress(lines)[:20] + bytes(200),
    "nothing": lambda lines: b"",
    "a bomb": lambda lines: gzip.compress(bytes(3_000_000)),
    "empty lines": lambda lines: gzip.compress(b"\n" * lines.count(b"\n")),
    "many lines": lambda lines: gzip.compress(b"\n" * 900_000),
    "no text": lambda lines: gzip.compress(lines.replace(b'"', b"\xff")),
    "no rows": lambda lines: gzip.compress(b"[]\n" * lines.count(b"\n")),
    "rows without columns": lambda lines: gzip.compress(b"{}\n" * lines.count(b"\n")),
    "deep rows": lambda lines: gzip.compress(
        lines.replace(b"{", b"[" * 3_000, 1).replace(b"}", b"]" * 3_000, 1)
    ),
    "seals that are none": lambda lines: gzip.compress(lines.replace(b'"\\\\x', b'"zz')),
    "deep facts": lambda lines: gzip.compress(
        lines.replace(b'"data":{', b'"data":' + b"[" * 3_000 + b"]" * 3_000 + b',"x":{')
    ),
}
"""What could stop the verification of an archive whose row was changed with it."""
SOME_CONTENTS = [
    *product([ArchiveKind.EVENTS], CONTENTS.items()),
    *((ArchiveKind.LEDGER, (name, CONTENTS[name])) for name in ("a bomb", "no rows", "deep rows")),
]
ROWS: dict[str, tuple[str, Finding]] = {
    "deleted": (
        "DELETE FROM archives WHERE institution_id = :i AND kind = :kind AND number = 1",
        Finding.ARCHIVE_MISSING,
    ),
    "doubled": (
        (
            "INSERT INTO archives SELECT institution_id, gen_random_uuid(), kind, 99, rows, size, "
            "sha256, first_at, last_at, first_number, last_number FROM archives "
            "WHERE institution_id = :i AND kind = :kind AND number = 1"
        ),
        Finding.ARCHIVE_ADDED,
    ),
    "renumbered": (
        "UPDATE archives SET number = 99 WHERE institution_id = :i AND kind = :kind AND number = 1",
        Finding.ARCHIVE_ADDED,
    ),
    **{
        name: (
            f"UPDATE archives SET {to} WHERE institution_id = :i AND kind = :kind AND number = 1",
            Finding.ARCHIVE_CHANGED,
        )
        for name, to in {
            "huge": "size = 4611686018427387904",
            "below nothing": "size = -1",
            "no sum": "sha256 = ''",
            "no places": "first_number = 0, last_number = NULL",
            "no rows": "rows = -1",
            "the last place": "last_number = 9223372036854775807, rows = rows + 1",
        }.items()
    },
    "no kind": (
        (
            "UPDATE archives SET kind = 'nonsense' "
            "WHERE institution_id = :i AND kind = :kind AND number = 1"
        ),
        Finding.ARCHIVE_MISSING,
    ),
    "another time": (
        (
            "UPDATE archives SET first_at = '2000-01-01T00:00:00Z' "
            "WHERE institution_id = :i AND kind = :kind AND number = 1"
        ),
        Finding.ARCHIVE_CHANGED,
    ),
}


@pytest.fixture
async def archives(owner: Owner, past: Past, platform: Platform, clock: FakeClock) -> list[Archive]:
    await years_later(platform, clock)
    await archive(platform, rows=2)
    await settle(platform)
    assert await findings(platform, owner.institution_id) == []
    return await archives_of(platform, owner.institution_id)


def file_of(platform: Platform, item: Archive) -> Path:
    folder = platform.settings.data_dir / "files" / "archives" / str(item.institution_id)
    return folder / f"{item.id}.000000"


async def keep(platform: Platform) -> None:
    await change(platform, "DROP TABLE IF EXISTS kept")
    await change(platform, "CREATE TABLE kept AS TABLE archives")


async def put_back(platform: Platform) -> None:
    await change(platform, "DELETE FROM archives")
    await change(platform, "INSERT INTO archives TABLE kept")


def two_of(archives: list[Archive], kind: ArchiveKind) -> tuple[Archive, Archive]:
    first, second, *_ = [item for item in archives if item.kind is kind]
    return first, second


async def test_every_changed_file_is_found(
    owner: Owner, archives: list[Archive], platform: Platform
) -> None:
    for kind, (name, (tamper, finding)) in product(ArchiveKind, FILES.items()):
        paths = [file_of(platform, item) for item in two_of(archives, kind)]
        before = [path.read_bytes() for path in paths]
        tamper(*paths)
        assert (finding, kind) in await findings(platform, owner.institution_id), name
        for path, content in zip(paths, before, strict=True):
            path.unlink(missing_ok=True)
            path.write_bytes(content)
    assert await findings(platform, owner.institution_id) == []


async def test_every_changed_row_is_found(
    owner: Owner, archives: list[Archive], platform: Platform
) -> None:
    given = {"i": owner.institution_id}
    await keep(platform)
    for kind, (name, (sql, finding)) in product(ArchiveKind, ROWS.items()):
        await change(platform, sql, kind=kind.value, **given)
        assert (finding, kind) in await findings(platform, owner.institution_id), name
        await put_back(platform)
    assert await findings(platform, owner.institution_id) == []


async def test_a_file_that_is_replaced_together_with_its_row_is_found(
    owner: Owner, archives: list[Archive], platform: Platform
) -> None:
    for kind in ArchiveKind:
        first, _ = two_of(archives, kind)
        lines = gzip.decompress(file_of(platform, first).read_bytes()).splitlines(keepends=True)
        await replace_file(platform, first, gzip.compress(b"".join(lines[1:])))
        assert (Finding.ARCHIVE_CHANGED, kind) in await findings(platform, owner.institution_id)


async def test_no_content_of_an_archive_stops_the_verification(
    owner: Owner,
    archives: list[Archive],
    platform: Platform,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(files, "MOST_BYTES", 1_000_000)
    await keep(platform)
    for kind, (name, make) in SOME_CONTENTS:
        first, second = two_of(archives, kind)
        paths = [file_of(platform, item) for item in (first, second)]
        before = [path.read_bytes() for path in paths]
        await replace_file(platform, first, make(gzip.decompress(before[0])))
        paths[1].write_bytes(b"")
        found = await verify(platform, [], lambda *_: None)
        told = {(item.finding, item.archive, item.number) for item in found.breaches}
        for number in (first.number, second.number):
            assert (Finding.ARCHIVE_CHANGED, kind, number) in told, name
        assert await reconcile_archives(platform) != [] or kind is not ArchiveKind.LEDGER
        lines = [line async for line in verify_archives(platform)]
        assert any(line.startswith("changed") for line in lines), name
        for path, content in zip(paths, before, strict=True):
            path.write_bytes(content)
        await put_back(platform)
    assert await findings(platform, owner.institution_id) == []


async def replace_file(platform: Platform, item: Archive, content: bytes) -> None:
    file_of(platform, item).write_bytes(content)
    await change(
        platform,
        "UPDATE archives SET sha256 = :hash, size = :size WHERE institution_id = :i AND id = :id",
        hash=hashlib.sha256(content).digest(),
        size=len(content),
        i=item.institution_id,
        id=item.id,
    )


async def test_an_event_that_is_changed_in_its_archive_breaks_the_chain(
    owner: Owner, archives: list[Archive], platform: Platform
) -> None:
    first, _ = two_of(archives, ArchiveKind.EVENTS)
    lines = gzip.decompress(file_of(platform, first).read_bytes())
    changed = lines.replace(b'"actor_kind":"User"', b'"actor_kind":"Job"')
    await replace_file(platform, first, gzip.compress(changed))
    found = await findings(platform, owner.institution_id)
    assert (Finding.CHANGED, None) in found


async def test_an_event_that_is_put_back_is_found(
    owner: Owner, archives: list[Archive], platform: Platform
) -> None:
    first, _ = two_of(archives, ArchiveKind.EVENTS)
    content = gzip.decompress(file_of(platform, first).read_bytes())
    await change(
        platform,
        "INSERT INTO events SELECT * FROM json_populate_record(NULL::events, CAST(:line AS json))",
        line=content.splitlines()[0].decode(),
    )
    assert (Finding.RESTORED, None) in await findings(platform, owner.institution_id)


async def test_an_archive_whose_event_is_not_sealed_yet_is_verified(
    owner: Owner, past: Past, platform: Platform, clock: FakeClock
) -> None:
    await years_later(platform, clock)
    await archive(platform)
    assert await findings(platform, owner.institution_id) == []
    await change(
        platform,
        "UPDATE archives SET rows = 1 WHERE institution_id = :i AND kind = 'Ledger' AND number = 1",
        i=owner.institution_id,
    )
    found = await findings(platform, owner.institution_id)
    assert found == [(Finding.ARCHIVE_CHANGED, ArchiveKind.LEDGER)]
