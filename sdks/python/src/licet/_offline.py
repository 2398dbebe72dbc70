"""Judging the text of a license file with no memory and no network."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from licet._claims import open_license_file
from licet._clock import read_clock
from licet._config import make_config
from licet._hardware import find_hardware_id
from licet._jose import RejectedTokenError, is_protected
from licet._model import LicenseResult
from licet._rules import FileContext, evaluate_file
from licet._state import State
from licet._status import LicenseValidationStatus
from licet.errors import ConfigurationError


def verify_text(text: str, options: Mapping[str, Any]) -> LicenseResult:
    """The verdict on a license file as a machine would give it that sees it first.

    Raises:
        ConfigurationError: An option is wrong, or the file is protected and no key is given.
    """
    config = make_config(options)
    if is_protected(text) and config.normal_key is None:
        raise ConfigurationError("The file is protected. Give its license key.")
    now = read_clock(config.clock)
    try:
        file = open_license_file(
            text, config.public_key, product_id=config.product_id, normal_key=config.normal_key
        )
    except RejectedTokenError as reason:
        return LicenseResult(
            LicenseValidationStatus.SignatureMismatch,
            f"This is not a license file for this product and public key: {reason}.",
            source="file",
            checked_at=now,
        )
    hardware_id = config.hardware_id
    if hardware_id is None:
        hardware_id = find_hardware_id(config.product_id, config.state_folder).value
    context = FileContext(
        config.normal_key, hardware_id, config.app_version, now, State(), config.grace
    )
    return evaluate_file(file, context)
