"""`mails`."""

import asyncio

from licet_server.app import open_platform
from licet_server.cli.options import DataDir, ready_database, say, settings_with
from licet_server.kit.mail import Mail, list_waiting
from licet_server.kit.settings import Settings
from licet_server.migrations import migrate


def mails(*, data_dir: DataDir = None) -> None:
    """Print the unsent e-mails, to forward by hand if no mail server is configured.

    Keep them secret: they contain the links that set new passwords.
    """
    with ready_database(settings_with(data_dir=data_dir)) as ready:
        asyncio.run(migrate(str(ready.database_url)))
        waiting = asyncio.run(_waiting(ready))
    say(f"{len(waiting):,} unsent e-mails")
    for mail in waiting:
        print(_shown(mail))


async def _waiting(settings: Settings) -> list[Mail]:
    async with open_platform(settings) as platform, platform.database.reading() as db:
        return await list_waiting(db, platform.keyring)


def _shown(mail: Mail) -> str:
    head = f"To: {mail.recipient}\nDate: {mail.created_at:%Y-%m-%d %H:%M} UTC"
    return f"{head}\nSubject: {mail.subject}\n\n{mail.text or ''}"
