"""``python -m releasing``: build and sign a release, verify one, or check the versions."""

from __future__ import annotations

import argparse
import os
import shutil
import sys
import tempfile
from pathlib import Path

from releasing.attestation import attest, verify
from releasing.builds import ReleaseFailed, build, differences, not_built, source_of
from releasing.versions import faults

ROOT = Path(__file__).resolve().parents[1]
KEY_VARIABLE = "LICET_RELEASE_KEY"
UPLOADS = (
    ("*.whl", "the Python package index, with `uv publish`"),
    ("licet-*.tgz", "the npm registry, with `npm publish FILE`"),
    ("*.nupkg", "the NuGet gallery, with `dotnet nuget push FILE`"),
    (
        "licet-image-context-*.tar.gz",
        "nowhere: it becomes the image, as is said below; push that",
    ),
    ("licet-site-*.tar.gz", "the web server of the documentation: unpack it there"),
    ("*", "the page of the release, beside the tag: every file of the folder"),
)


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m releasing", description=__doc__)
    commands = parser.add_subparsers(dest="command", required=True)
    commands.add_parser("check", help="compare versions, changelogs and the tag")
    commands.add_parser("build", help="build the tag twice, compare, sign and verify")
    verifying = commands.add_parser("verify", help="verify a folder with a public key")
    verifying.add_argument("folder", type=Path)
    verifying.add_argument("public_key", type=Path)
    given = parser.parse_args()
    try:
        match given.command:
            case "check":
                require_agreement(None)
            case "build":
                release(ROOT, ROOT / "dist", key_file())
            case _:
                names = verify(given.folder, given.public_key)
                print(f"Verified {len(names)} files.")
    except ReleaseFailed as failed:
        print(failed, file=sys.stderr)
        return 1
    return 0


def require_agreement(tag: str | None, root: Path = ROOT) -> None:
    """Raise an error that lists every place where versions disagree."""
    if found := list(faults(root, tag)):
        raise ReleaseFailed("\n".join(found))


def key_file() -> Path:
    """Return the file of the private key that releases are signed with."""
    path = Path(os.environ.get(KEY_VARIABLE, ""))
    if not path.is_file():
        raise ReleaseFailed(
            f"Set {KEY_VARIABLE} to the file of the private key that signs releases. The project's "
            "first one is made with: ssh-keygen -t ed25519 -C licet-release -f licet-release.key"
        )
    return path.resolve()


def release(checkout: Path, target: Path, key: Path) -> Path:
    """Write a signed release of the checked out tag to a folder, and print what one uploads."""
    source = source_of(checkout)
    require_agreement(source.tag, checkout)
    folder = target / f"release-{source.tag}"
    with tempfile.TemporaryDirectory(prefix="licet-release-") as temporary:
        print(f"Building {source.tag} ({source.commit[:12]}), the first of two times", flush=True)
        first = build(source, Path(temporary, "1"))
        print("Building it again in another folder", flush=True)
        second = build(source, Path(temporary, "2"))
        if differing := differences(first, second):
            raise ReleaseFailed(f"Two builds differ: {', '.join(differing)}")
        shutil.rmtree(folder, ignore_errors=True)
        shutil.copytree(first, folder)
    attest(source, folder, key)
    print(f"\nTwo builds gave the same bytes. {folder} is signed and verified.\n")
    for line in instructions(folder, checkout):
        print(line)
    return folder


def instructions(folder: Path, checkout: Path) -> list[str]:
    """Return what one uploads where, in lines; nothing was uploaded."""
    lines = ["Nothing was uploaded. Upload:"]
    for pattern, place in UPLOADS:
        names = sorted(path.name for path in folder.glob(pattern))
        if names:
            lines.append(f"  {', '.join(names) if pattern != '*' else 'all files'}\n    to {place}")
    return [*lines, "", "Not built here:", *(f"  {sentence}" for sentence in not_built(checkout))]


if __name__ == "__main__":
    sys.exit(main())
