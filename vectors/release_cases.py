"""The signed releases: those that a client may offer, and those that it must reject."""

from __future__ import annotations

import hashlib

from pieces import ISSUED, OTHER_PRODUCT, PRODUCT, Signer, file_claims, flip, unsigned
from verdict_cases import verdict_claims

CONTENT = b"The setup program of version 2.5.0."
SHA256 = hashlib.sha256(CONTENT).hexdigest()


def file_entry(**changes: object) -> dict:
    return {
        "name": "setup.exe",
        "platform": "windows-x64",
        "sizeBytes": len(CONTENT),
        "sha256": SHA256,
        **changes,
    }


def release_claims(**changes: object) -> dict:
    return {
        "aud": PRODUCT,
        "iat": int(ISSUED.timestamp()),
        "version": "2.5.0",
        "channel": "Stable",
        "files": [file_entry(), file_entry(name="manual.pdf", platform=None)],
        **changes,
    }


def release(name: str, token: str | None, *, accepted: bool, **changes: object) -> dict:
    offered = {**file_entry(), "downloadUrl": "https://licenses.example.com/api/downloads/token"}
    return {
        "name": name,
        "productId": PRODUCT,
        "currentVersion": "2.4.0",
        "channel": "Stable",
        "platform": None,
        "response": {
            "updateAvailable": True,
            "version": "2.5.0",
            "channel": "Stable",
            "releaseId": "01920000-0000-7000-8000-0000000000b2",
            "notes": None,
            "publishedAt": "2026-01-01T00:00:00Z",
            "files": [offered],
            "token": token,
            **changes.pop("response", {}),
        },
        **changes,
        "accepted": accepted,
    }


def release_cases(signer: Signer, stale: Signer) -> list[dict]:
    def sign(key: Signer = signer, **changes: object) -> str:
        return key.sign(release_claims(**changes), "release+jwt")

    good = sign()
    head, body, signature = good.split(".")
    offered = {**file_entry(), "downloadUrl": "https://licenses.example.com/api/downloads/token"}

    def refused(name: str, token: str | None, **changes: object) -> dict:
        return release(name, token, accepted=False, **changes)

    def with_file(**changes: object) -> dict:
        return {"files": [{**offered, **changes}]}

    old = sign(version="2.3.0")
    return [
        release("good", good, accepted=True),
        release("channel-in-other-case", good, accepted=True, channel="stable"),
        release("no-file-offered", good, accepted=True, response={"files": []}),
        release(
            "later-prerelease",
            sign(version="2.5.0-rc.1"),
            accepted=True,
            response={"version": "2.5.0-rc.1"},
        ),
        release(
            "version-not-semver",
            sign(version="winter"),
            accepted=True,
            response={"version": "winter"},
        ),
        refused("not-signed", None),
        refused("empty", ""),
        refused("stale-key", sign(stale)),
        refused(
            "stale-key-with-present-kid",
            stale.sign(release_claims(), "release+jwt", kid=signer.kid),
        ),
        refused("edited-payload", f"{head}.{flip(body)}.{signature}"),
        refused("edited-signature", f"{head}.{body}.{flip(signature)}"),
        refused("alg-none", unsigned(release_claims(), "release+jwt", signer.kid)),
        refused("typ-verdict", signer.sign(release_claims(), "verdict+jwt")),
        refused("verdict-instead", signer.sign(verdict_claims(), "verdict+jwt")),
        refused("license-file-instead", signer.sign(file_claims(), "license+jwt")),
        refused("another-product", sign(aud=OTHER_PRODUCT)),
        refused("another-version", sign(version="2.6.0")),
        refused("another-channel", sign(channel="Beta")),
        refused("not-the-channel-asked-for", sign(channel="Beta"), response={"channel": "Beta"}),
        refused("older-than-installed", old, response={"version": "2.3.0"}),
        refused("the-installed-version", sign(version="2.4.0"), response={"version": "2.4.0"}),
        refused("another-sha256", good, response=with_file(sha256="0" * 64)),
        refused("another-size", good, response=with_file(sizeBytes=1)),
        refused("another-name", good, response=with_file(name="evil.exe")),
        refused("another-platform", good, response=with_file(platform="linux-x64")),
        refused("for-a-platform-not-asked-for", good, platform="linux-x64"),
        refused(
            "download-without-tls",
            good,
            response=with_file(downloadUrl="http://licenses.example.com/api/downloads/x"),
        ),
        refused("files-missing", sign(files=None)),
        refused("iat-as-text", sign(iat="yesterday")),
    ]
