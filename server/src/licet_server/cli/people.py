"""`admin create`, `admin reset-second-factor` and `mails`."""

import asyncio
import os
import secrets

from licet_server.app import open_platform
from licet_server.cli.options import DataDir, ready_database, say, settings_with
from licet_server.events.rules.kinds import EventKind
from licet_server.identity.rules.users import PASSWORD_MIN, TOO_COMMON
from licet_server.identity.service.users import create_user, remove_second_factor_by_email
from licet_server.institutions.service.account_hooks import InstitutionAccountHooks
from licet_server.kit.emails import normal_email, read_email
from licet_server.kit.mail import Mail, list_waiting
from licet_server.kit.origin import CONSOLE
from licet_server.kit.passwords import Passwords, is_common
from licet_server.kit.settings import InvalidSetting, Settings
from licet_server.migrations import migrate
from licet_server.serving import prepare


def create_admin(email: str, *, full_name: str = "Administrator", data_dir: DataDir = None) -> None:
    """Create a system Admin, with the password in LICET_ADMIN_PASSWORD or a generated one.

    Parameters
    ----------
    email
        The email address to sign in with.
    full_name
        The display name.
    """
    if read_email(email) is None:
        raise InvalidSetting("EMAIL", "must be an email address.")
    given = os.environ.get("LICET_ADMIN_PASSWORD")
    if given is not None and len(given) < PASSWORD_MIN:
        raise InvalidSetting(
            "LICET_ADMIN_PASSWORD", f"must have at least {PASSWORD_MIN} characters."
        )
    if given is not None and is_common(given):
        raise InvalidSetting("LICET_ADMIN_PASSWORD", TOO_COMMON)
    password = given or secrets.token_urlsafe(12)
    with ready_database(settings_with(leave_out="LICET_ADMIN", data_dir=data_dir)) as ready:
        prepare(ready, say)
        asyncio.run(_create(ready, normal_email(email), full_name, password))
    say(f"Created the system Admin {email}")
    if given is None:
        print(f"Password: {password}")


async def _create(settings: Settings, email: str, full_name: str, password: str) -> None:
    password_hash = await Passwords().hash(password)
    async with open_platform(settings) as platform, platform.unit_of_work(CONSOLE) as work:
        user = await create_user(
            work,
            email=email,
            full_name=full_name,
            password_hash=password_hash,
            is_system_admin=True,
            verified=True,
        )
        await InstitutionAccountHooks(settings).record_account_event(
            work, EventKind.USER_REGISTERED, user_id=user.id, email=user.email
        )


def reset_second_factor(email: str, *, data_dir: DataDir = None) -> None:
    """Turn off a user's lost second factor, and sign them out everywhere.

    Parameters
    ----------
    email
        The email address that they sign in with.
    """
    with ready_database(settings_with(leave_out="LICET_ADMIN", data_dir=data_dir)) as ready:
        asyncio.run(migrate(str(ready.database_url)))
        asyncio.run(_reset_second_factor(ready, normal_email(email)))
    say(f"Turned off the second factor of {email}")


async def _reset_second_factor(settings: Settings, email: str) -> None:
    async with open_platform(settings) as platform, platform.unit_of_work(CONSOLE) as work:
        await remove_second_factor_by_email(work, InstitutionAccountHooks(settings), email)


def mails(*, data_dir: DataDir = None) -> None:
    """Print the unsent emails, to forward by hand if no mail server is configured.

    Keep them secret: they contain the links that set new passwords.
    """
    with ready_database(settings_with(data_dir=data_dir)) as ready:
        asyncio.run(migrate(str(ready.database_url)))
        waiting = asyncio.run(_waiting(ready))
    say(f"{len(waiting):,} unsent emails")
    for mail in waiting:
        print(_shown(mail))


async def _waiting(settings: Settings) -> list[Mail]:
    async with open_platform(settings) as platform, platform.database.reading() as db:
        return await list_waiting(db, platform.keyring)


def _shown(mail: Mail) -> str:
    head = f"To: {mail.recipient}\nDate: {mail.created_at:%Y-%m-%d %H:%M} UTC"
    return f"{head}\nSubject: {mail.subject}\n\n{mail.text or ''}"
