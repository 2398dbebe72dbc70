"""`files verify`."""

import asyncio
import sys
from collections.abc import AsyncIterator

from licet_server.app import open_platform
from licet_server.archives.service import reading
from licet_server.catalog.service.files import verify_files
from licet_server.cli.options import DataDir, ready_database, say, settings_with
from licet_server.kit.platform import Platform
from licet_server.kit.settings import Settings
from licet_server.serving import prepare


def verify(*, data_dir: DataDir = None) -> None:
    """Read all files in the file store, and name those that are missing, changed or extra.

    Release files and archives are compared with the SHA-256 in the database. An extra file belongs
    to nothing; a crash or a restored backup leaves some. The exit code is 1 if anything is named.
    """
    with ready_database(settings_with(data_dir=data_dir)) as ready:
        prepare(ready, say)
        count = asyncio.run(_verify(ready))
    say(f"Found {count:,} differences")
    if count:
        sys.exit(1)


async def _verify(settings: Settings) -> int:
    count = 0
    async with open_platform(settings) as platform:
        async for line in _faults(platform):
            print(line)
            count += 1
    return count


async def _faults(platform: Platform) -> AsyncIterator[str]:
    async for line in verify_files(platform):
        yield line
    async for line in reading.verify_archives(platform):
        yield line
