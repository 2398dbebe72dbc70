"""The signed releases: those that a client may offer, and those that it must reject."""

from __future__ import annotations

import hashlib
from collections.abc import Callable

from pieces import (
    DAY,
    ISSUED,
    KEY,
    NONCE,
    OTHER_KEY,
    OTHER_PRODUCT,
    PRODUCT,
    Signer,
    b64u,
    file_claims,
    flip,
    rfc3339,
    unsigned,
)
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
        "publishedAt": rfc3339(ISSUED),
        "files": [file_entry(), file_entry(name="manual.pdf", platform=None)],
        **changes,
    }


def hash_of(key: str) -> str:
    return b64u(hashlib.sha256(key.encode()).digest())


def answer_claims(case: dict, response: dict, **changes: object) -> dict:
    """What a good server signs about a response to the request of a case."""
    return {
        "aud": PRODUCT,
        "iat": int((ISSUED + DAY).timestamp()),
        "nonce": NONCE,
        "channel": response["channel"],
        "currentVersion": case["currentVersion"],
        "platform": case["platform"],
        "licenseKeyHash": hash_of(KEY),
        "updateAvailable": response["updateAvailable"],
        "version": response["version"],
        **changes,
    }


class Answers:
    """Makes cases whose answer is signed as it should be, or with these claims in place of that."""

    def __init__(self, signer: Signer) -> None:
        self.signer = signer

    def case(
        self,
        name: str,
        token: str | None,
        *,
        accepted: bool,
        answer: dict | str | None = None,
        response: dict | None = None,
        **changes: object,
    ) -> dict:
        offered = {**file_entry(), "downloadUrl": "https://licenses.example.com/api/downloads/x"}
        sent = {
            "updateAvailable": True,
            "version": "2.5.0",
            "channel": "Stable",
            "releaseId": "01920000-0000-7000-8000-0000000000b2",
            "notes": None,
            "publishedAt": "2026-01-01T00:00:00Z",
            "files": [offered],
            "token": token,
            **(response or {}),
        }
        asked = {
            "productId": PRODUCT,
            "nonce": NONCE,
            "licenseKey": KEY,
            "currentVersion": "2.4.0",
            "releasedAt": None,
            "channel": "Stable",
            "platform": None,
            **changes,
        }
        if answer is None or isinstance(answer, dict):
            claims = answer_claims(asked, sent, **(answer or {}))
            answer = self.signer.sign(claims, "update+jwt")
        return {"name": name, **asked, "response": {**sent, "answer": answer}, "accepted": accepted}


def release_cases(signer: Signer, stale: Signer) -> list[dict]:
    def sign(key: Signer = signer, **changes: object) -> str:
        return key.sign(release_claims(**changes), "release+jwt")

    release = Answers(signer).case
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
        *compared_cases(release, sign),
        *answer_cases(release, signer, stale, good),
        *uncovered_cases(release, good),
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


def uncovered_cases(release: Callable[..., dict], good: str) -> list[dict]:
    """A newer release that the license does not cover, with an update to another and without."""
    address = "https://example.com/renew"
    newer = {"version": "3.0.0", "reason": "MaintenanceEnded", "renewUrl": address}
    unaddressed = {"version": "3.0.0", "reason": "MaintenanceEnded"}
    none = {"updateAvailable": False, "files": [], "token": None}
    signed = {"newerVersion": "3.0.0", "renewUrl": address}

    def told(name: str, told: object, claims: dict, *, accepted: bool, **offer: object) -> dict:
        response = {**offer, "newer": told}
        return release(
            f"uncovered-{name}", good, accepted=accepted, answer=claims, response=response
        )

    return [
        told("beside-an-update", newer, signed, accepted=True),
        told("without-an-update", newer, signed, accepted=True, **none),
        told("without-an-address", unaddressed, {"newerVersion": "3.0.0"}, accepted=True, **none),
        told("not-signed", newer, {}, accepted=False, **none),
        told("signed-and-not-told", None, signed, accepted=False, **none),
        told("another-version", {**newer, "version": "4.0.0"}, signed, accepted=False, **none),
        told(
            "another-address",
            {**newer, "renewUrl": "https://evil.example"},
            signed,
            accepted=False,
            **none,
        ),
        told("malformed", "3.0.0", signed, accepted=False, **none),
    ]


def compared_cases(release: Callable[..., dict], sign: Callable[..., str]) -> list[dict]:
    """Which of two versions is the newer release."""

    def offer(number: int, running: str | None, version: str, *, accepted: bool) -> dict:
        kind = "newer" if accepted else "downgrade"
        return release(
            f"{kind}-{number}",
            sign(version=version),
            accepted=accepted,
            currentVersion=running,
            response={"version": version},
        )

    def dated(name: str, running: str | None, days: int | None, *, accepted: bool) -> dict:
        return release(
            f"dated-{name}",
            sign(version="winter"),
            accepted=accepted,
            currentVersion=running,
            releasedAt=None if days is None else rfc3339(ISSUED + days * DAY),
            response={"version": "winter", "publishedAt": "2099-01-01T00:00:00Z"},
        )

    newer = [("2.4.0.9", "2.5.0.1"), ("2024.9", "2024.10"), ("1", "1.0.1"), ("1.0.0", "1" * 5000)]
    older = [
        ("1.0.0", "0.9"),
        ("2.5.0.1", "2.4.0.9"),
        ("2024.10", "2024.9"),
        ("1.0", "1.0.0.0"),
        ("1.0", "1.0.0-rc.1"),
        ("1.0.0", "zzz"),
        ("winter", "0.1.0"),
        (None, "0.1.0"),
        ("summer", "winter"),
    ]
    undated = sign(version="winter", publishedAt=None)
    return [
        *(offer(number, *pair, accepted=True) for number, pair in enumerate(newer, 1)),
        *(offer(number, *pair, accepted=False) for number, pair in enumerate(older, 1)),
        dated("later", "summer", -1, accepted=True),
        dated("later-without-a-version", None, -1, accepted=True),
        dated("later-than-a-number", "2.4.0", -1, accepted=True),
        dated("the-same-moment", "summer", 0, accepted=False),
        dated("earlier", "summer", 1, accepted=False),
        dated("the-same-version", "winter", -1, accepted=False),
        dated("unknown", "summer", None, accepted=False),
        release(
            "dated-unsigned",
            undated,
            accepted=False,
            currentVersion="summer",
            releasedAt=rfc3339(ISSUED - DAY),
            response={"version": "winter"},
        ),
        release(
            "dated-as-a-number",
            sign(publishedAt=5),
            accepted=False,
        ),
    ]


def answer_cases(
    release: Callable[..., dict], signer: Signer, stale: Signer, good: str
) -> list[dict]:
    """The answer is signed for this request, also if there is no update."""
    none: dict = {"updateAvailable": False, "files": [], "token": None}
    nothing = {**none, "version": None, "releaseId": None, "publishedAt": None}
    wrong = {
        "another-nonce": {"nonce": "YW5vdGhlci1ub25jZQ"},
        "another-product": {"aud": OTHER_PRODUCT},
        "another-channel": {"channel": "Beta"},
        "another-current-version": {"currentVersion": "9.0.0"},
        "another-platform": {"platform": "linux-x64"},
        "another-license": {"licenseKeyHash": hash_of(OTHER_KEY)},
        "no-license": {"licenseKeyHash": None},
        "another-version": {"version": "2.6.0"},
        "another-availability": {"updateAvailable": None},
        "iat-as-text": {"iat": "now"},
    }

    def refused(name: str, answer: dict | str, response: dict) -> dict:
        return release(f"answer-{name}", good, accepted=False, answer=answer, response=response)

    def claims(response: dict) -> dict:
        asked = {"currentVersion": "2.4.0", "platform": None}
        return answer_claims(asked, {"channel": "Stable", "version": "2.5.0", **response})

    offer = {"updateAvailable": True}
    return [
        release("none-newer", None, accepted=True, response=none),
        release("none-published", None, accepted=True, response=nothing),
        release(
            "none-in-channel-in-other-case", None, accepted=True, response=none, channel="stable"
        ),
        release(
            "none-without-a-license",
            None,
            accepted=True,
            response=none,
            licenseKey=None,
            answer={"licenseKeyHash": None},
        ),
        *(
            refused(f"{kind}-{name}", changes, response)
            for kind, response in (("offer", {}), ("none", none))
            for name, changes in wrong.items()
        ),
        *(
            refused(f"{kind}-{name}", token, response)
            for kind, response in (("offer", offer), ("none", none))
            for name, token in (
                ("missing", ""),
                ("stale-key", stale.sign(claims(response), "update+jwt")),
                ("typ-release", signer.sign(claims(response), "release+jwt")),
                ("alg-none", unsigned(claims(response), "update+jwt", signer.kid)),
            )
        ),
        refused("none-in-place-of-an-offer", {"updateAvailable": True}, none),
        refused("offer-in-place-of-none", {"updateAvailable": False}, {}),
        release(
            "answer-none-for-another-channel",
            None,
            accepted=False,
            response={**none, "channel": "Beta"},
            answer={"channel": "Stable"},
        ),
    ]
