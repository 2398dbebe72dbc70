"""What goes beside the artifacts: checksums, the statement of where they come from, a signature.

The signature is OpenSSH's, so that whoever downloads needs no program of this project. It is of
the checksums, and these name every other file.
"""

from __future__ import annotations

import json
import platform
import subprocess
import tempfile
from hashlib import sha256
from pathlib import Path
from typing import Any

from releasing.builds import ReleaseFailed, Source, digests, not_built

CHECKSUMS = "SHA256SUMS"
PROVENANCE = "provenance.intoto.json"
SIGNATURE = f"{CHECKSUMS}.sig"
NAMESPACE = "licet-release"
"""What OpenSSH mixes into a signature, so that one made for another purpose is none of these."""
SIGNER = "licet"
BUILD_TYPE = "urn:licet:make-release:1"
LOCK_FILES = (
    "requirements/run.txt",
    "requirements/dev.txt",
    "requirements/docs.txt",
    "requirements/dotnet.txt",
    "dashboard/package-lock.json",
    "sdks/dotnet/toolchain/package-lock.json",
)


def provenance(source: Source, subjects: dict[str, str]) -> dict[str, Any]:
    """Return an in-toto statement with a SLSA predicate: what was built, from what, and how."""
    locks = [
        {
            "name": name,
            "digest": {"sha256": sha256((source.checkout / name).read_bytes()).hexdigest()},
        }
        for name in LOCK_FILES
    ]
    return {
        "_type": "https://in-toto.io/Statement/v1",
        "subject": [
            {"name": name, "digest": {"sha256": digest}} for name, digest in subjects.items()
        ],
        "predicateType": "https://slsa.dev/provenance/v1",
        "predicate": {
            "buildDefinition": {
                "buildType": BUILD_TYPE,
                "externalParameters": {"tag": source.tag},
                "internalParameters": {
                    "sourceDateEpoch": source.committed_at,
                    "builds": 2,
                    "notBuilt": list(not_built(source.checkout)),
                },
                "resolvedDependencies": [
                    {"name": f"refs/tags/{source.tag}", "digest": {"gitCommit": source.commit}},
                    *locks,
                ],
            },
            "runDetails": {
                "builder": {
                    "id": BUILD_TYPE,
                    "version": {
                        "python": platform.python_version(),
                        "system": f"{platform.system()} {platform.machine()}",
                    },
                },
            },
        },
    }


def attest(source: Source, folder: Path, key: Path) -> None:
    """Write provenance, checksums and their signature beside the artifacts, and verify them.

    The key is a private one as `ssh-keygen` writes it, with its public half beside it as `.pub`.

    Raises:
        ReleaseFailed: when the key cannot sign.
    """
    statement = json.dumps(provenance(source, digests(folder)), indent=2)
    (folder / PROVENANCE).write_text(f"{statement}\n")
    lines = [f"{digest}  {name}\n" for name, digest in digests(folder).items()]
    (folder / CHECKSUMS).write_text("".join(lines))
    _ssh_keygen("-Y", "sign", "-f", str(key), "-n", NAMESPACE, str(folder / CHECKSUMS))
    verify(folder, key.with_name(f"{key.name}.pub"))


def verify(folder: Path, public_key: Path) -> list[str]:
    """Return the names of the files that a key has signed for.

    Raises:
        ReleaseFailed: when the signature is of another key, a file differs, or one is unnamed.
    """
    checksums = (folder / CHECKSUMS).read_bytes()
    with tempfile.TemporaryDirectory() as temporary:
        signers = Path(temporary, "allowed_signers")
        signers.write_text(f"{SIGNER} {public_key.read_text()}")
        flags = ("-f", str(signers), "-I", SIGNER, "-n", NAMESPACE, "-s", str(folder / SIGNATURE))
        _ssh_keygen("-Y", "verify", *flags, given=checksums)
    named = dict(line.split("  ", 1)[::-1] for line in checksums.decode().splitlines())
    found = digests(folder)
    for own in (CHECKSUMS, SIGNATURE):
        found.pop(own, None)
    if wrong := sorted(name for name in named.keys() | found if named.get(name) != found.get(name)):
        raise ReleaseFailed(f"These files are not what was signed: {', '.join(wrong)}")
    return list(named)


def _ssh_keygen(*arguments: str, given: bytes = b"") -> None:
    ended = subprocess.run(  # noqa: S603 - arguments of this file
        ["ssh-keygen", *arguments],  # noqa: S607 - the one on the path
        input=given,
        capture_output=True,
        check=False,
    )
    if ended.returncode:
        raise ReleaseFailed((ended.stderr or ended.stdout).decode().strip())
