"""A database as `pg_dump` writes it, and archives as they are stored, searched for texts."""

import gzip
import subprocess

from licet_server.kit.database_address import Address
from licet_server.kit.platform import Platform
from licet_server.kit.postgres.binaries import find_binaries
from licet_server.kit.postgres.programs import tool_environment


def dump_of(platform: Platform) -> str:
    """The dump in plain text, in lower case."""
    assert platform.settings.database_url is not None
    address = Address.of_url(platform.settings.database_url)
    made = subprocess.run(
        [find_binaries().program("pg_dump"), "--no-password"],
        check=True,
        capture_output=True,
        env=tool_environment(address),
    )
    return made.stdout.decode().lower()


def lines_with(dump: str, *texts: str) -> list[str]:
    """The lines that contain one of the texts, also as the bytes of a binary column."""
    wanted = [form for item in texts for form in (item.lower(), item.encode().hex())]
    return [line[:300] for line in dump.splitlines() if any(item in line for item in wanted)]


def archives_of(platform: Platform) -> str:
    """The rows in all archives of the object store, in lower case."""
    folder = platform.settings.data_dir / "files" / "archives"
    stored = sorted(path for path in folder.rglob("*") if path.is_file())
    return "".join(gzip.decompress(path.read_bytes()).decode() for path in stored).lower()
