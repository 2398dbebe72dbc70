"""`sign-releases`, `use-signing-key`, `confirm-clock`."""

import asyncio
from collections.abc import Sequence
from pathlib import Path
from uuid import UUID

from licet_server.app import open_platform
from licet_server.audit.service.evidence import confirm_clock as confirm
from licet_server.catalog.rules.model import Release, ReleaseFile
from licet_server.catalog.service.signing import install_own_key, list_unsigned, sign_unsigned
from licet_server.cli.options import DataDir, on_platform, ready_database, say, settings_with
from licet_server.kit.clock_trust import Confirmation
from licet_server.kit.origin import CONSOLE
from licet_server.kit.platform import Platform
from licet_server.kit.settings import Settings


def sign_releases(*, dry_run: bool = False, data_dir: DataDir = None) -> None:
    """Sign the published releases from before releases were signed. The service may keep running.

    Each is signed with the files that the database names; compare their SHA-256 with your own.

    Parameters
    ----------
    dry_run
        Print what would be signed, and sign nothing.
    """
    count = on_platform(settings_with(data_dir=data_dir), _list if dry_run else _sign)
    say(f"{count:,} releases {'are not signed' if dry_run else 'signed'}")


def use_signing_key(product_id: UUID, file: Path, *, data_dir: DataDir = None) -> None:
    """Make a private key of your own the signing key of a product.

    Its published releases are signed with it, and its license files become invalid, except in
    applications that trust both keys: those fetch new files.

    Parameters
    ----------
    product_id
        The product.
    file
        The private key: PEM, RSA of 2048, 3072 or 4096 bits, without a password.
    """
    pem = file.read_bytes()
    kid = on_platform(
        settings_with(data_dir=data_dir), lambda platform: _use(platform, product_id, pem)
    )
    say(f"The product signs with the key {kid}")


def confirm_clock(*, data_dir: DataDir = None) -> None:
    """Take this machine's clock for right. The service may keep running; it follows in a minute.

    The service signs nothing after its clock has jumped by more than a day. Look at the time first:
    what is signed while the clock is ahead stays with the applications that receive it.
    """
    with ready_database(settings_with(data_dir=data_dir)) as ready:
        confirmation = asyncio.run(_confirm_clock(ready))
    say(f"The clock is taken for right: it is {confirmation.at:%Y-%m-%d %H:%M} UTC")


async def _confirm_clock(settings: Settings) -> Confirmation:
    async with open_platform(settings) as platform:
        return await confirm(platform)


async def _list(platform: Platform) -> int:
    async with platform.database.reading() as db:
        unsigned = await list_unsigned(db)
    for release, files in unsigned:
        _show(release, files)
    return len(unsigned)


async def _sign(platform: Platform) -> int:
    count = 0
    async with platform.database.reading() as db:
        unsigned = await list_unsigned(db)
    for release, files in unsigned:
        async with platform.unit_of_work(CONSOLE) as work:
            if await sign_unsigned(work, release) is None:
                continue
        count += 1
        _show(release, files)
    return count


async def _use(platform: Platform, product_id: UUID, pem: bytes) -> str:
    async with platform.unit_of_work(CONSOLE) as work:
        return (await install_own_key(work, product_id, pem)).kid


def _show(release: Release, files: Sequence[ReleaseFile]) -> None:
    print(f"{release.product_id} {release.version} {release.channel}")
    for file in files:
        print(f"  {file.sha256.hex()}  {file.name} {file.platform or ''}".rstrip())
