"""The command ``licet``: inspect and verify license.bin, show the hardware ID, examine a folder.

``licet offline`` activates a machine without a network.

Exit status: 0 if the license is valid or the command succeeded, 1 if the license is not valid or
``doctor`` has found something, 2 if the command failed.
"""

from __future__ import annotations

import argparse
import json
import logging
import os
import sys
from collections.abc import Sequence
from dataclasses import asdict
from datetime import datetime
from pathlib import Path
from typing import Any

from licet._clock import format_time, parse_rfc3339
from licet._disk import read_installed
from licet._doctor import examine
from licet._hardware import find_hardware_id
from licet._jose import (
    MAX_TOKEN_BYTES,
    RejectedTokenError,
    decode_segment,
    is_protected,
    open_protected,
    read_object,
    split_token,
)
from licet._keys import mask, normal_form
from licet._model import License, LicenseResult
from licet._offline import verify_text
from licet._offline_cli import add_offline
from licet._places import find_places
from licet._settings import NO_SETTINGS, SettingsFile, read_settings
from licet._status import LicenseValidationStatus
from licet._version import __version__
from licet.errors import ConfigurationError, LicenseFileError, LicetError

VALID, NOT_VALID, FAILED = 0, 1, 2


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command and return its exit status."""
    options = _parser().parse_args(arguments)
    try:
        status: int = options.run(options)
        sys.stdout.flush()
    except LicetError as error:
        print(f"licet: {error.message} {error.hint}".rstrip(), file=sys.stderr)
        return FAILED
    except BrokenPipeError:  # the reader, such as head, has seen enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return VALID
    return status


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="licet",
        description="Inspect license files and find out what is wrong on this machine.",
    )
    parser.add_argument("--version", action="version", version=f"licet {__version__}")
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    _add_inspect(commands)
    _add_verify(commands)
    _add_fingerprint(commands)
    _add_doctor(commands)
    add_offline(commands, _key_text)
    return parser


def _add_inspect(commands: Any) -> None:
    command = commands.add_parser(
        "inspect", help="show the content of a license file without verifying it"
    )
    command.add_argument("file", type=Path, help="the license file, such as license.bin")
    command.add_argument("--license-key", help="the license key, to decrypt a protected file")
    command.add_argument("--show-key", action="store_true", help="do not mask the license key")
    command.set_defaults(run=_inspect)


def _add_verify(commands: Any) -> None:
    command = commands.add_parser(
        "verify", help="verify a license file as an application would, without the network"
    )
    command.add_argument("file", type=Path, help="the license file, such as license.bin")
    command.add_argument("--public-key", help="PEM, Base64, or the path of a file with either")
    command.add_argument("--product-id")
    command.add_argument(
        "--license-key", help="the key expected in the file; decrypts a protected file"
    )
    command.add_argument("--hardware-id", help="use this hardware ID instead of this machine's")
    command.add_argument("--app-version", help="the version of the application")
    command.add_argument(
        "--test-mode", action="store_true", help="accept a license of a Test product"
    )
    command.add_argument("--at", type=_time, metavar="TIME", help="verify as of this RFC 3339 time")
    command.add_argument(
        "--settings",
        type=Path,
        metavar="FOLDER",
        help="read missing options from the settings file in this folder",
    )
    command.add_argument("--json", action="store_true", help="print JSON")
    command.set_defaults(run=_verify)


def _add_fingerprint(commands: Any) -> None:
    command = commands.add_parser(
        "fingerprint", help="show this machine's hardware ID for a product"
    )
    command.add_argument("--product-id")
    command.add_argument(
        "--settings",
        type=Path,
        metavar="FOLDER",
        help="read the product ID from the settings file in this folder",
    )
    command.add_argument("--json", action="store_true", help="print JSON")
    command.set_defaults(run=_fingerprint)


def _add_doctor(commands: Any) -> None:
    command = commands.add_parser(
        "doctor", help="examine an application's settings, keys, license file and state"
    )
    command.add_argument(
        "folder",
        type=Path,
        nargs="?",
        default=Path(),
        help="the application's folder; by default the current one",
    )
    command.add_argument("--product-id", help="the product ID that the application's code names")
    command.add_argument(
        "--public-key",
        action="append",
        help="a public key that the code names: PEM, Base64, or a file; may be repeated",
    )
    command.add_argument("--json", action="store_true", help="print JSON")
    command.set_defaults(run=_doctor)


def _inspect(options: argparse.Namespace) -> int:
    text = _read(options.file)
    try:
        protected = is_protected(text)
        if protected:
            if options.license_key is None:
                raise ConfigurationError(
                    f"{options.file} is protected. Pass its license key with --license-key."
                )
            text = open_protected(text, normal_form(options.license_key))
        header, claims = (read_object(decode_segment(part)) for part in split_token(text, 3)[:2])
    except RejectedTokenError as error:
        raise LicenseFileError(f"{options.file} is not a license file: {error}.") from error
    terms = claims.get("license")
    if isinstance(terms, dict) and isinstance(terms.get("key"), str) and not options.show_key:
        terms["key"] = mask(terms["key"])
    print(
        json.dumps(
            {"verified": False, "protected": protected, "header": header, "claims": claims},
            indent=2,
            ensure_ascii=False,
        )
    )
    print("Not verified. Run `licet verify` to check the signature.", file=sys.stderr)
    return VALID


def _verify(options: argparse.Namespace) -> int:
    given = {
        "product_id": options.product_id,
        "public_key": _key_text(options.public_key),
        "license_key": options.license_key,
        "hardware_id": options.hardware_id,
        "app_version": options.app_version,
        "test_mode": options.test_mode,
        "license_file": options.file,
        "clock": (lambda: options.at) if options.at is not None else None,
    }
    result = verify_text(_read(options.file), given, _settings(options))
    if options.json:
        print(json.dumps(_as_json(result), indent=2, ensure_ascii=False))
    else:
        _print_result(result)
    if result.status is LicenseValidationStatus.TestLicense:
        print("It is a license of a Test product. Pass --test-mode to accept it.", file=sys.stderr)
    return VALID if result.valid else NOT_VALID


def _fingerprint(options: argparse.Namespace) -> int:
    settings = _settings(options).options
    product_id = options.product_id or settings.get("product_id")
    if not product_id:
        raise ConfigurationError("ProductId is missing. Pass --product-id.")
    places = find_places(settings, product_id, options.settings or Path.cwd())
    found = find_hardware_id(product_id, places.state_folder)
    if options.json:
        print(json.dumps({"hardwareId": found.value, "source": found.description}))
    else:
        print(found.value)
        print(f"Source: {found.description}.", file=sys.stderr)
    return VALID


def _doctor(options: argparse.Namespace) -> int:
    keys = [_key_text(item) for item in options.public_key or ()]
    code = {"product_id": options.product_id, "public_keys": keys or None}
    logging.getLogger("licet").addHandler(logging.NullHandler())  # findings are printed below
    found = examine(options.folder, code)
    if options.json:
        print(json.dumps([asdict(item) for item in found], indent=2))
    else:
        for item in found:
            print(f"{item.level + ':':<9} {item.subject}: {item.detail}")
    return VALID if all(item.level == "ok" for item in found) else NOT_VALID


def _settings(options: argparse.Namespace) -> SettingsFile:
    return read_settings(options.settings) if options.settings is not None else NO_SETTINGS


def _print_result(result: LicenseResult) -> None:
    print(f"{'valid' if result.valid else 'NOT VALID'}: {result.status.value}")
    print(result.message)
    for warning in result.warnings:
        print(f"Warning: {warning}")
    if result.license is None:
        return
    terms = result.license
    features = "not restricted" if terms.features is None else _features(terms) or "none"
    rows = {
        "License": f"{terms.name or ''} ({terms.id})",
        "Key": mask(terms.key) if terms.key else None,
        "Type": f"{terms.type}, {terms.activation_mode}{', for tests' if terms.test else ''}",
        "Issued to": terms.issued_to,
        "Expires": format_time(terms.expiration_date) if terms.expiration_date else "never",
        "Updates": f"until {format_time(terms.updates_until)}" if terms.updates_until else None,
        "Refresh by": format_time(result.refresh_by) if result.refresh_by else None,
        "Release": result.release.version if result.release else None,
        "Features": features,
    }
    for label, value in rows.items():
        if value:
            print(f"{label + ':':<12}{value}")


def _features(terms: License) -> str:
    values = {name: terms.entitlement(name) for name in terms.features or ()}
    return ", ".join(name if value is True else f"{name}={value}" for name, value in values.items())


def _as_json(result: LicenseResult) -> dict[str, Any]:
    terms = result.license
    content: dict[str, Any] = {
        "valid": result.valid,
        "status": result.status.value,
        "message": result.message,
        "warnings": result.warnings,
        "refreshBy": _json_value(result.refresh_by),
        "graceEndsAt": _json_value(result.grace_ends_at),
        "leaseEndsAt": _json_value(result.lease_ends_at),
        "license": None,
    }
    if terms is not None:
        content["license"] = {
            "id": terms.id,
            "key": mask(terms.key) if terms.key else None,
            "type": terms.type,
            "status": terms.status,
            "test": terms.test,
            "name": terms.name,
            "issuedTo": terms.issued_to,
            "issuer": terms.issuer,
            "expirationDate": _json_value(terms.expiration_date),
            "updatesUntil": _json_value(terms.updates_until),
            "fallbackUntil": _json_value(terms.fallback_until),
            "inFallback": terms.in_fallback,
            "activationMode": terms.activation_mode,
            "maxActiveUsersCount": terms.max_active_users_count,
            "features": terms.features,
            "entitlements": dict(terms.entitlements) if terms.entitlements is not None else None,
            "metadata": dict(terms.metadata),
        }
    return content


def _json_value(value: datetime | None) -> str | None:
    return value.isoformat().replace("+00:00", "Z") if value is not None else None


def _read(path: Path) -> str:
    try:
        raw = read_installed(path, MAX_TOKEN_BYTES)
    except OSError as error:
        raise LicenseFileError(f"{path} cannot be read: {error}") from error
    if raw is None:
        raise LicenseFileError(f"The file {path} does not exist.")
    return raw.decode("ascii", "replace")


def _key_text(value: str | None) -> str | None:
    if value is None or value.lstrip().startswith("-----"):
        return value
    try:
        raw = read_installed(Path(value), 1 << 16)
    except OSError:
        return value
    return raw.decode("ascii", "replace") if raw is not None else value


def _time(text: str) -> datetime:
    try:
        return parse_rfc3339(text)
    except ValueError as error:
        raise argparse.ArgumentTypeError(
            f"must be a time with a zone, for example 2026-11-22T09:30:00Z, not {text!r}"
        ) from error


if __name__ == "__main__":
    sys.exit(main())
