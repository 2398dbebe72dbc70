"""Sealed backup files: what goes in comes out, and nothing else does."""

import os
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest

from licet_server.kit.backups.model import BackupChanged, BackupError
from licet_server.kit.backups.vault import opened, sealed
from licet_server.kit.keyring import Keyring, MasterKeyMissing, new_master_key

NOW = datetime(2030, 1, 2, 3, 4, 5, tzinfo=UTC)
KEYS = Keyring([new_master_key()])
PIECES = [b"first", b"second", b"", b"x" * 1_000_000]


def parts_of(pieces: list[bytes], keys: Keyring = KEYS) -> list[bytes]:
    """The beginning of a file, and its pieces; the first of these says when it was written."""
    return list(sealed(keys, NOW, iter(pieces)))


def read(path: Path, keys: Keyring = KEYS) -> tuple[bytes, datetime | None]:
    with opened(path, lambda: keys) as (content, written_at):
        content.seek(0)
        return content.read(), written_at


@pytest.mark.parametrize("pieces", [PIECES, [b"only"], []])
def test_content_comes_back_with_its_time(tmp_path: Path, pieces: list[bytes]) -> None:
    path = tmp_path / "b"
    path.write_bytes(b"".join(parts_of(pieces)))
    assert read(path) == (b"".join(pieces), NOW)
    assert b"first" not in path.read_bytes()


def changes() -> Iterator[tuple[str, list[bytes]]]:
    head, *pieces = parts_of(PIECES)
    other_head, *others = parts_of(PIECES)
    for number in range(len(pieces)):
        yield f"cut before piece {number}", [head, *pieces[:number]]
    yield "cut in a length", [head, *pieces, b"\0\0"]
    yield "cut in a piece", [head, *pieces[:-1], pieces[-1][:-1]]
    yield "without its time", [head, *pieces[1:]]
    yield "exchanged", [head, pieces[0], pieces[2], pieces[1], *pieces[3:]]
    yield "repeated", [head, *pieces, pieces[-1]]
    yield "of another file", [head, pieces[0], others[1], *pieces[2:]]
    yield "another ID", [other_head, *pieces]
    yield "a length of gigabytes", [head, pieces[0], b"\xff\xff\xff\xff"]
    for place in (0, 4, 12, 30, -1):
        changed = bytearray(pieces[1])
        changed[place] ^= 1
        yield f"byte {place}", [head, pieces[0], bytes(changed), *pieces[2:]]


@pytest.mark.parametrize(("_", "parts"), [*changes()], ids=[name for name, _ in changes()])
def test_changed_file_is_refused(tmp_path: Path, _: str, parts: list[bytes]) -> None:
    path = tmp_path / "b"
    path.write_bytes(b"".join(parts))
    with pytest.raises(BackupChanged, match="was changed or cut off"):
        read(path)


def test_file_of_another_key_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "b"
    path.write_bytes(b"".join(parts_of(PIECES, Keyring([new_master_key()]))))
    with pytest.raises(BackupChanged, match="another master key"):
        read(path)
    older = new_master_key()
    path.write_bytes(b"".join(parts_of(PIECES, Keyring([older]))))
    assert read(path, Keyring([new_master_key(), older]))[1] == NOW

    def missing() -> Keyring:
        raise MasterKeyMissing("no key")

    with pytest.raises(MasterKeyMissing), opened(path, missing):
        pass


def test_file_that_is_not_sealed_has_no_time(tmp_path: Path) -> None:
    path = tmp_path / "b"
    for content in (b"PGDMP...", b"", b"licet backup 2\n"):
        path.write_bytes(content)
        assert read(path) == (content, None)


def test_what_is_no_file_is_refused(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    for name in ("pipe", "."):
        with pytest.raises(BackupError, match="is not a file"):
            read(tmp_path / name)
    with pytest.raises(BackupError, match="does not exist"):
        read(tmp_path / "none")
