"""The routes of updates and downloads."""

from __future__ import annotations

import hashlib
import re
import secrets
from collections.abc import Iterable, Mapping
from datetime import datetime, timedelta
from typing import Any

from licet._keys import key_hash, normal_form
from licet._release import ANSWER_TYP, RELEASE_TYP
from licet._semver import precedence, release_allows
from licet.testing._coverage import is_covered
from licet.testing._fields import (
    CREDENTIALS,
    HARDWARE_ID,
    LICENSE_KEY,
    optional,
    read_fields,
    string,
)
from licet.testing._messages import (
    IN_HEADERS,
    Request,
    Response,
    find_own_license,
    require_device_named,
    wire_time,
    with_credential_headers,
)
from licet.testing._problems import Refused, bad_fields
from licet.testing._rules import license_status
from licet.testing._state import (
    DownloadGrant,
    License,
    PublishedFile,
    PublishedRelease,
    State,
)

DOWNLOADS = "/downloads/"

_LIFE = timedelta(minutes=15)
_LATEST = {
    "currentVersion": optional(string(100)),
    "channel": optional(string(50)),
    "platform": optional(string(50)),
    "nonce": optional(string(128)),
    "licenseKey": optional(LICENSE_KEY),
    "hardwareId": optional(HARDWARE_ID),
    **CREDENTIALS,
}
_RANGE = re.compile(r"bytes=(\d{1,18})-(\d{0,18})", re.ASCII)


def latest(state: State, request: Request) -> Response:
    """GET /updates/latest."""
    given = {name: value for name, value in with_credential_headers(request).items() if value}
    fields = read_fields(given, _LATEST)
    license_ = _find_license(state, request, fields)
    channel = fields["channel"] or "Stable"
    known = [item for item in state.releases if item.channel.lower() == channel.lower()]
    offered, lapsed = _covered(state, license_, known, request.now)
    found = _newest(_installable(offered, fields["platform"]))
    newest = _newest(_installable([*offered, *lapsed], fields["platform"]))
    available = found is not None and _is_update(found, fields["currentVersion"], known)
    details = _facts(found, channel if found is None else found.channel, available=available)
    if license_ is not None and newest is not None and newest in lapsed:
        details |= _newer(license_, newest, fields["currentVersion"], known)
    if fields["nonce"] is not None:
        details["answer"] = _sign_answer(state, request, fields, details)
    if found is None:
        return Response(200, details)
    details["token"] = _sign(state, found)
    if available:
        details["files"] = [
            _offer(state, request, found, file)
            for file in found.files
            if fields["platform"] is None or _fits(file, fields["platform"])
        ]
    return Response(200, details)


def download(state: State, request: Request) -> Response:
    """GET /downloads/{token}, with an optional range."""
    grant = state.grants.get(request.path.removeprefix(DOWNLOADS))
    if grant is None or grant.expires_at <= request.now:
        raise Refused("Unauthorized", "The download URL has expired. Check for updates again.")
    if grant.release.yanked:
        raise Refused("NotFound", "The release is no longer offered.")
    content = grant.file.content
    headers = {"content-type": "application/octet-stream", "etag": f'"{grant.file.sha256}"'}
    found = _RANGE.fullmatch(request.headers.get("range", ""))
    if found is None:
        return Response(200, raw=content, headers=headers)
    start, end = int(found[1]), min(int(found[2] or len(content)) + 1, len(content))
    if start >= end:
        raise Refused("RangeNotSatisfiable")
    headers["content-range"] = f"bytes {start}-{end - 1}/{len(content)}"
    return Response(206, raw=content[start:end], headers=headers)


def make_release_file(name: str, platform: str | None, content: bytes) -> PublishedFile:
    """Create a file of a release."""
    return PublishedFile(name, platform, content, hashlib.sha256(content).hexdigest())


def _covered(
    state: State, license_: License | None, known: list[PublishedRelease], now: datetime
) -> tuple[list[PublishedRelease], list[PublishedRelease]]:
    """What the license covers, and what it would cover if its updates were renewed."""
    published = [item for item in known if not item.yanked]
    if license_ is None:
        return published, []
    line, offered, lapsed = state.product.release_version, [], []
    for item in published:
        if is_covered(license_, line, item.version, item, now):
            offered.append(item)
        elif license_.updates_until is not None or release_allows(line, item.version):
            lapsed.append(item)
    return offered, lapsed


def _newer(
    license_: License,
    release: PublishedRelease,
    current: str | None,
    known: list[PublishedRelease],
) -> dict[str, Any]:
    if not _is_update(release, current, known):
        return {}
    url = license_.metadata.get("renewUrl", "")
    newer = {"version": release.version, "reason": "MaintenanceEnded"}
    if url.startswith(("https://", "http://")):
        newer["renewUrl"] = url
    return {"newer": newer}


def _find_license(state: State, request: Request, fields: Mapping[str, Any]) -> License | None:
    if fields["licenseKey"] is None:
        if state.downloads_need_license:
            raise bad_fields([("licenseKey", "is missing.")])
        return None
    license_ = find_own_license(state, fields, IN_HEADERS)
    status = license_status(license_, request.now)
    if state.downloads_need_license and status != "Active":
        raise Refused("LicenseExpired" if status == "Expired" else "LicenseInvalid")
    require_device_named(license_, fields["hardwareId"])
    return license_


def _installable(
    offered: list[PublishedRelease], platform: str | None
) -> Iterable[PublishedRelease]:
    """Return those with a file for the platform; all, if none has a file at all."""
    if platform is None or not any(item.files for item in offered):
        return offered
    return [item for item in offered if any(_fits(file, platform) for file in item.files)]


def _fits(file: PublishedFile, platform: str) -> bool:
    return file.platform is None or file.platform.lower() == platform.lower()


def _newest(offered: Iterable[PublishedRelease]) -> PublishedRelease | None:
    """Return the highest comparable version, or the last other one if it was published later."""
    leads: dict[bool, tuple[int, PublishedRelease]] = {}
    for place, item in enumerate(offered):
        kind = precedence(item.version) is not None
        if kind not in leads or _order(item.version, leads[kind][1].version) != -1:
            leads[kind] = place, item
    return max(leads.values(), default=(0, None), key=lambda lead: lead[0])[1]


def _is_update(found: PublishedRelease, current: str | None, known: list[PublishedRelease]) -> bool:
    if current is None:
        return True
    order = _order(found.version, current)
    if order is not None:
        return order == 1
    named = current.strip().lower()
    own = next((place for place, it in enumerate(known) if it.version.lower() == named), -1)
    return own < known.index(found)


def _order(one: str, other: str) -> int | None:
    first, second = precedence(one), precedence(other)
    if first is None or second is None:
        return None
    return (first > second) - (first < second)


def _offer(
    state: State, request: Request, release: PublishedRelease, file: PublishedFile
) -> dict[str, Any]:
    token = secrets.token_hex(24)
    state.grants[token] = DownloadGrant(release, file, request.now + _LIFE)
    return {
        "name": file.name,
        "platform": file.platform,
        "sizeBytes": len(file.content),
        "sha256": file.sha256,
        "downloadUrl": f"{request.base}{DOWNLOADS}{token}",
    }


def _sign_answer(
    state: State, request: Request, fields: Mapping[str, Any], details: Mapping[str, Any]
) -> str:
    key = fields["licenseKey"]
    claims = {
        "aud": state.product.id,
        "iat": int(request.now.timestamp()),
        "nonce": fields["nonce"],
        "channel": details["channel"],
        "currentVersion": fields["currentVersion"],
        "platform": fields["platform"],
        "licenseKeyHash": None if key is None else key_hash(normal_form(key)),
        "updateAvailable": details["updateAvailable"],
        "version": details["version"],
    }
    if "newer" in details:
        claims["newerVersion"] = details["newer"]["version"]
        claims["renewUrl"] = details["newer"].get("renewUrl")
    return state.keys.sign(ANSWER_TYP, claims)


def _sign(state: State, release: PublishedRelease) -> str:
    claims = {
        "aud": state.product.id,
        "iat": int(release.published_at.timestamp()),
        "version": release.version,
        "channel": release.channel,
        "publishedAt": wire_time(release.published_at),
        "files": [
            {
                "name": file.name,
                "platform": file.platform,
                "sizeBytes": len(file.content),
                "sha256": file.sha256,
            }
            for file in release.files
        ],
    }
    return state.keys.sign(RELEASE_TYP, claims)


def _facts(found: PublishedRelease | None, channel: str, *, available: bool) -> dict[str, Any]:
    return {
        "updateAvailable": available,
        "version": None if found is None else found.version,
        "channel": channel,
        "releaseId": None if found is None else found.id,
        "notes": None if found is None else found.notes,
        "publishedAt": None if found is None else wire_time(found.published_at),
        "files": [],
        "token": None,
        "answer": None,
    }
