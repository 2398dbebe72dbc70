"""``licet offline``: activate, refresh and release a machine that has no network."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from licet._client import LicenseClient
from licet._disk import read_installed
from licet._jose import MAX_TOKEN_BYTES
from licet._offline_request import OfflineRequest
from licet.errors import ConfigurationError, LicenseFileError

VALID, NOT_VALID = 0, 1


def add_offline(commands: Any, key_text: Callable[[str | None], str | None]) -> None:
    """Add the command and its three actions.

    Args:
        commands: The subparsers of ``licet``.
        key_text: Reads a public key from a text or a file.
    """
    command = commands.add_parser("offline", help="activate a machine that has no network")
    actions = command.add_subparsers(required=True, metavar="ACTION")
    request = actions.add_parser(
        "request", help="write the request of this machine for the vendor's offline desk"
    )
    request.add_argument("file", type=Path, nargs="?", help="where to write it; - prints it")
    request.add_argument("--renew", action="store_true", help="begin another request")
    _add_qr(request)
    apply = actions.add_parser("apply", help="take the answer: a license.bin, or a typed code")
    apply.add_argument("answer", help="the file from the offline desk, or the code that it shows")
    release = actions.add_parser(
        "release", help="give the license of this machine up, and write the proof of it"
    )
    release.add_argument("file", type=Path, nargs="?", help="where to write it; - prints it")
    _add_qr(release)
    for action, run in ((request, _request), (apply, _apply), (release, _release)):
        _add_client(action)
        action.set_defaults(run=run, key_text=key_text)


def _add_qr(action: argparse.ArgumentParser) -> None:
    action.add_argument(
        "--qr",
        metavar="URL",
        help="show a QR code that opens the vendor's offline desk, such as "
        "https://licenses.example.com/o",
    )


def _add_client(action: argparse.ArgumentParser) -> None:
    action.add_argument("--product-id")
    action.add_argument("--public-key", help="PEM, Base64, or the path of a file with either")
    action.add_argument("--license-key")
    action.add_argument("--license-file", type=Path, help="the license.bin of the application")
    action.add_argument("--state-folder", type=Path, help="the folder that the application uses")
    action.add_argument("--hardware-id", help="use this hardware ID instead of this machine's")
    action.add_argument(
        "--settings",
        type=Path,
        metavar="FOLDER",
        help="read missing options from the settings file in this folder",
    )


def _client(options: argparse.Namespace) -> LicenseClient:
    named = {
        "product_id": options.product_id,
        "public_key": options.key_text(options.public_key),
        "license_key": options.license_key,
        "license_file": options.license_file,
        "state_folder": options.state_folder,
        "hardware_id": options.hardware_id,
    }
    given: Any = {name: value for name, value in named.items() if value is not None}
    if options.settings is None:
        return LicenseClient(**given)
    return LicenseClient.from_settings(options.settings, **given)


def _request(options: argparse.Namespace) -> int:
    with _client(options) as client:
        _hand_out(client.offline_request(renew=options.renew), options)
    return VALID


def _apply(options: argparse.Namespace) -> int:
    with _client(options) as client:
        result = client.apply_offline_answer(_answer(options.answer))
    print(f"{'valid' if result.valid else 'NOT VALID'}: {result.status.value}")
    print(result.message)
    return VALID if result.valid else NOT_VALID


def _release(options: argparse.Namespace) -> int:
    with _client(options) as client:
        made = client.release_offline()
    _hand_out(made, options)
    if made.code is not None:
        print(f"Release code: {made.code}", file=sys.stderr)
    return VALID


def _answer(given: str) -> bytes | str:
    """The content of a file, or the code itself."""
    try:
        raw = read_installed(Path(given), MAX_TOKEN_BYTES)
    except OSError as error:
        raise LicenseFileError(f"{given} cannot be read: {error}") from error
    if raw is None and "." in given:
        raise LicenseFileError(f"The file {given} does not exist.")
    return given if raw is None else raw


def _hand_out(made: OfflineRequest, options: argparse.Namespace) -> None:
    if options.qr is not None:
        _print_qr(made.qr_text(options.qr))
    if options.file == Path("-"):
        print(made.text)
    elif options.file is not None or options.qr is None:
        path = options.file or Path(made.file_name)
        try:
            path.write_bytes(made.file)
        except OSError as error:
            raise LicenseFileError(f"{path} cannot be written: {error}") from error
        print(f"{made.kind} request: {path}", file=sys.stderr)


def _print_qr(text: str) -> None:
    try:
        import segno  # noqa: PLC0415 - an extra
    except ImportError as error:
        raise ConfigurationError(
            "The package that draws QR codes is missing. Install segno, which is licet[qr]."
        ) from error
    segno.make_qr(text, error="l").terminal(compact=True)
