"""Sealed secrets open only in their place, under a known key, unaltered."""

import stat
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from licet_server.kit.keyring import (
    CannotOpen,
    Keyring,
    MasterKeyMissing,
    create_key_file,
    load_keyring,
    new_master_key,
    read_key_file,
    write_key_file,
)
from licet_server.kit.settings import Settings


@given(st.binary(max_size=200), st.text(max_size=30))
def test_what_is_sealed_opens(secret: bytes, place: str) -> None:
    ring = Keyring([new_master_key()])
    assert ring.open(ring.seal(secret, place), place) == secret


@given(st.data())
def test_an_altered_value_does_not_open(data: st.DataObject) -> None:
    ring = Keyring([new_master_key()])
    sealed = bytearray(ring.seal(b"a secret", "t.c:1"))
    position = data.draw(st.integers(0, len(sealed) - 1))
    sealed[position] ^= data.draw(st.integers(1, 255))
    with pytest.raises(CannotOpen):
        ring.open(bytes(sealed), "t.c:1")


def test_a_value_moved_to_another_row_does_not_open() -> None:
    ring = Keyring([new_master_key()])
    with pytest.raises(CannotOpen):
        ring.open(ring.seal(b"a secret", "t.c:1"), "t.c:2")


def test_rotation_keeps_old_values_readable() -> None:
    old, new = new_master_key(), new_master_key()
    sealed = Keyring([old]).seal(b"a secret", "p")
    ring = Keyring([new, old])
    assert ring.open(sealed, "p") == b"a secret"
    assert not ring.is_current(sealed)
    assert ring.is_current(ring.seal(b"a secret", "p"))
    with pytest.raises(CannotOpen):
        Keyring([new]).open(sealed, "p")


def test_the_key_file_is_private_and_made_once(tmp_path: Path) -> None:
    path = tmp_path / "master.key"
    with pytest.raises(MasterKeyMissing):
        load_keyring(Settings(data_dir=tmp_path))
    create_key_file(path)
    sealed = load_keyring(Settings(data_dir=tmp_path)).seal(b"a secret", "p")
    create_key_file(path)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert load_keyring(Settings(data_dir=tmp_path)).open(sealed, "p") == b"a secret"


def test_a_running_process_learns_of_a_rotation(tmp_path: Path) -> None:
    path = tmp_path / "master.key"
    create_key_file(path)
    running = load_keyring(Settings(data_dir=tmp_path))
    write_key_file(path, [new_master_key(), *read_key_file(path)])
    sealed = load_keyring(Settings(data_dir=tmp_path)).seal(b"a secret", "p")
    assert running.open(sealed, "p") == b"a secret"
    assert load_keyring(Settings(data_dir=tmp_path)).is_current(running.seal(b"another", "p"))
