"""Leaves root once the port is bound: whatever serves requests runs as an ordinary user.

The embedded PostgreSQL and the service run as the same user, so that one process can go on
supervising the other. Nothing of the process can become root again.
"""

import os
import pwd
import stat
import sys
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from urllib.parse import unquote, urlsplit

import litestar

import licet_server
from licet_server.kit.postgres.account import Account, owner_of, server_account
from licet_server.kit.postgres.layout import DataDir
from licet_server.kit.settings import InvalidSetting, Settings

_SETTING = "LICET_USER"
_CANNOT = 'for path; do test "-$0" "$path" || { echo "$path"; exit 1; }; done'


def require_user(settings: Settings) -> None:
    """Check that the process can become the user in the settings, if one is named.

    Raises:
        InvalidSetting: when there is no such user, or the process is another one and not root.
    """
    if settings.run_as is None:
        return
    try:
        entry = pwd.getpwnam(settings.run_as)
    except KeyError:
        raise InvalidSetting(_SETTING, "must be the name of a user of this machine.") from None
    if os.geteuid() not in {0, entry.pw_uid}:
        raise InvalidSetting(_SETTING, "needs a start as root; unset it, or start as that user.")


def leave_root(settings: Settings, say: Callable[[str], None]) -> Settings:
    """Become an ordinary user if the process is root, and return settings that hold from then on.

    That is the user in the settings, or else the one that runs the embedded PostgreSQL. The files
    of the service are handed over to that user. If the user cannot reach the program or the data,
    the process stays root and says why, unless the settings name the user.

    Raises:
        InvalidSetting: when the settings name a user who cannot run the service.
    """
    if os.geteuid() != 0 or settings.run_as == "root":
        return settings
    settings = replace(
        settings,
        data_dir=settings.data_dir.resolve(),
        heads_file=settings.audit_heads_file.resolve(),
    )
    account = _account(settings)
    problem = _problem(account, settings)
    if problem is None:
        _become(account)
        say(f"Requests are served as the user {account.name}")
    elif settings.run_as is None:
        say(
            f"Requests are served as root, because the user {account.name} {problem}. Set "
            f"{_SETTING}, or start the service as an ordinary user"
        )
    else:
        raise InvalidSetting(_SETTING, f"names a user who {problem}.")
    return settings


def _account(settings: Settings) -> Account:
    if settings.run_as is not None:
        return server_account(settings.run_as)
    cluster = DataDir(settings.data_dir).find_cluster()
    return owner_of(cluster) if cluster is not None else server_account()


def _problem(account: Account, settings: Settings) -> str | None:
    """Hand the files over if the user reaches them; else return what is in the way."""
    program = (os.__file__, litestar.__file__, licet_server.__file__, sys.executable)
    unread = _first_without("r", account, [Path(path) for path in program])
    if unread is not None:
        return f"cannot read {unread}"
    heads = settings.audit_heads_file
    unentered = _first_without("x", account, [settings.data_dir, heads.parent])
    if unentered is not None:
        return f"cannot enter {unentered}"
    heads.touch(mode=0o600)
    folders = [folder for folder in _stores(settings) if folder.exists()]
    key = settings.data_dir / "master.key"
    for path in (heads, key, *folders):
        if path.exists():
            _hand_over(path, account)
    unwritten = _first_without("w", account, [heads, *folders])
    return None if unwritten is None else f"cannot write to {unwritten}"


def _first_without(right: str, account: Account, paths: list[Path]) -> str | None:
    ended = account.run(["/bin/sh", "-c", _CANNOT, right, *map(str, paths)])
    return ended.stdout.strip() or None


def _stores(settings: Settings) -> list[Path]:
    """Return the folders of release files and backups, unless they are in a bucket."""
    urls = [settings.storage_url or (settings.data_dir / "files").absolute().as_uri()]
    if settings.backup_url is not None:
        urls.append(settings.backup_url)
    return [Path(unquote(urlsplit(url).path)) for url in urls if url.startswith("file:")]


def _hand_over(path: Path, account: Account) -> None:
    """Make the user the owner of what root has made there, without following any link."""
    if not path.is_dir():
        if path.stat().st_uid == 0:
            os.chown(path, account.uid, account.gid)
        return
    os.chown(path, account.uid, account.gid)
    for name, folder in _of_root(path):
        os.chown(name, account.uid, account.gid, dir_fd=folder, follow_symlinks=False)


def _of_root(top: Path) -> Iterator[tuple[str, int]]:
    for _, folders, files, descriptor in os.fwalk(top):
        for name in (*folders, *files):
            found = os.stat(name, dir_fd=descriptor, follow_symlinks=False)
            # A file with two names may stand elsewhere as well.
            is_single = stat.S_ISDIR(found.st_mode) or found.st_nlink == 1
            if found.st_uid == 0 and is_single and not stat.S_ISLNK(found.st_mode):
                yield name, descriptor


def _become(account: Account) -> None:
    entry = pwd.getpwuid(account.uid)
    if not account.can_enter(Path.cwd()):
        os.chdir("/")
    os.initgroups(entry.pw_name, account.gid)
    os.setresgid(account.gid, account.gid, account.gid)
    os.setresuid(account.uid, account.uid, account.uid)
    # Libraries look for files in the home, and root's cannot be read.
    os.environ.update(HOME=entry.pw_dir, USER=entry.pw_name, LOGNAME=entry.pw_name)
