"""Commands that list and export archives, and find files that no archive refers to."""

import json
from pathlib import Path
from typing import Any
from uuid import UUID

import pytest
from archives.history import archive, archives_of, change, in_archives, years_later
from testkit import FakeClock, Owner

from licet_server.archives.rules import ArchiveKind
from licet_server.cli.archives import _export, _list, _unknown
from licet_server.kit.platform import Platform

Past = dict[str, dict[str, Any]]


async def test_archives_are_listed_exported_and_distinguished_from_other_files(
    owner: Owner, past: Past, platform: Platform, clock: FakeClock, tmp_path: Path
) -> None:
    await years_later(platform, clock)
    await archive(platform)
    institution_id = UUID(owner.institution_id)
    archives = await archives_of(platform, owner.institution_id)
    assert await _list(platform, institution_id) == archives
    assert await _list(platform, None) == archives
    file = tmp_path / "ledger.jsonl"
    rows = await _export(platform, institution_id, ArchiveKind.LEDGER, file)
    written = [json.loads(line) for line in file.read_text().splitlines()]
    assert written == await in_archives(platform, owner.institution_id, ArchiveKind.LEDGER)
    assert rows == len(written) > 8
    assert file.stat().st_mode & 0o777 == 0o600
    linked = tmp_path / "linked.jsonl"
    linked.symlink_to(tmp_path / "chosen by another user")
    for existing in (file, linked):
        with pytest.raises(FileExistsError):
            await _export(platform, institution_id, ArchiveKind.LEDGER, existing)
    assert await _unknown(platform, delete=False) == []
    # As after a backup was restored that does not know the last archive.
    last = archives[-1]
    await change(platform, "DELETE FROM archives WHERE id = :id", id=last.id)
    unknown = [f"archives/{institution_id}/{last.id}.000000"]
    assert await _unknown(platform, delete=False) == unknown
    assert await _unknown(platform, delete=True) == unknown
    assert await _unknown(platform, delete=False) == []
    assert await _list(platform, None) == archives[:-1]
