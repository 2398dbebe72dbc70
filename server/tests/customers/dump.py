"""A database as `pg_dump` writes it, searched for texts."""

import subprocess

from licet_server.kit.database_address import Address
from licet_server.kit.platform import Platform
from licet_server.kit.postgres.binaries import find_binaries
from licet_server.kit.postgres.tools import tool_environment


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
