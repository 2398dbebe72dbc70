"""Folders in which another user has put something in the place of a file."""

from __future__ import annotations

import os
import stat
from collections.abc import Callable
from pathlib import Path

PRECIOUS = "precious " * 9
OTHER_USER = 65534

Occupy = Callable[[Path, Path], None]


def link(path: Path, victim: Path) -> None:
    path.symlink_to(victim)


def link_of_another_user(path: Path, victim: Path) -> None:
    path.symlink_to(victim)
    os.lchown(path, OTHER_USER, OTHER_USER)


def dangling_link(path: Path, victim: Path) -> None:
    path.symlink_to(victim.with_name("missing"))


def loop_of_links(path: Path, _victim: Path) -> None:
    other = path.with_name(f"{path.name}.loop")
    path.symlink_to(other)
    other.symlink_to(path)


def hard_link(path: Path, victim: Path) -> None:
    path.hardlink_to(victim)


def fifo(path: Path, _victim: Path) -> None:
    os.mkfifo(path, 0o666)


def folder(path: Path, _victim: Path) -> None:
    path.mkdir()


def device(path: Path, _victim: Path) -> None:
    try:
        os.mknod(path, stat.S_IFCHR | 0o666, os.makedev(1, 5))
    except OSError:  # not for this user
        path.symlink_to("/dev/zero")


def huge_file(path: Path, _victim: Path) -> None:
    with path.open("wb") as stream:
        stream.truncate(1 << 33)


def file_of_another_user(path: Path, _victim: Path) -> None:
    path.write_text("0" * 32)
    path.chmod(0o666)
    os.chown(path, OTHER_USER, OTHER_USER)


_BY_ANYONE: tuple[Occupy, ...] = (
    link, dangling_link, loop_of_links, hard_link, fifo, folder, device, huge_file,
)  # fmt: skip
_AS_ROOT: tuple[Occupy, ...] = (link_of_another_user, file_of_another_user)


def ways() -> tuple[Occupy, ...]:
    """The ways to occupy a name that this process can play."""
    if os.name != "posix":
        return ()
    return (*_BY_ANYONE, *_AS_ROOT) if os.geteuid() == 0 else _BY_ANYONE


def occupy(place: Path, names: list[str], way: Occupy) -> Path:
    """Create a folder that every user may write to, with these names occupied.

    Returns:
        The victim: a file beside the folder with :data:`PRECIOUS` text, which must not change.
    """
    place.mkdir()
    place.chmod(0o777)
    victim = place.with_name(f"{place.name}-victim") / "victim"
    victim.parent.mkdir()
    victim.write_text(PRECIOUS)
    victim.chmod(0o600)
    for name in names:
        way(place / name, victim)
    return victim


def describe(path: Path) -> str:
    """Describe what a name is now: ``regular, own, 600``, for example."""
    found = path.lstat()
    kind = "regular" if stat.S_ISREG(found.st_mode) else "irregular"
    owner = "own" if found.st_uid == os.geteuid() else f"of {found.st_uid}"
    return f"{kind}, {owner}, {stat.S_IMODE(found.st_mode):o}"
