"""Validation of a license file without stored state and without the network."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from licet._claims import open_license_file
from licet._clock import read_clock
from licet._components import NONE, find_components
from licet._config import make_config
from licet._device_key import DeviceKeyFile
from licet._hardware import find_hardware_id
from licet._jose import RejectedTokenError, is_protected
from licet._kept import read_kept, refusal_result
from licet._model import LicenseResult
from licet._rules import FileContext, evaluate_file
from licet._settings import NO_SETTINGS, SettingsFile
from licet._state import State
from licet._status import LicenseValidationStatus
from licet.errors import ConfigurationError


def verify_text(
    text: str, options: Mapping[str, Any], settings: SettingsFile = NO_SETTINGS
) -> LicenseResult:
    """Validate the text of a license file as on a machine without stored state.

    Raises:
        ConfigurationError: An option is invalid, or the file is protected and no key is given.
    """
    config = make_config(options, settings)
    if config.key_fault is not None:
        return LicenseResult(
            LicenseValidationStatus.LicenseNotFound,
            config.key_fault,
            checked_at=read_clock(config.clock),
        )
    if is_protected(text) and config.normal_key is None:
        raise ConfigurationError(
            "The license file is protected. Pass its license key with --license-key."
        )
    now = read_clock(config.clock)
    hardware_id = config.hardware_id
    if hardware_id is None:
        hardware_id = find_hardware_id(config.product_id, config.state_folder).value
    refusal = read_kept(
        text, config.public_keys, product_id=config.product_id, hardware_id=hardware_id
    )
    if refusal is not None and not refusal.status.valid:
        return refusal_result(refusal, now)
    try:
        file = open_license_file(
            text, config.public_keys, product_id=config.product_id, normal_key=config.normal_key
        )
    except RejectedTokenError as reason:
        return LicenseResult(
            LicenseValidationStatus.SignatureMismatch,
            f"This is not a license file for this product and public key: {reason}. "
            "Install the license.bin issued for this product.",
            source="file",
            checked_at=now,
        )
    compares = file.least_equal is not None and config.hardware_id is None
    context = FileContext(
        config.normal_key,
        hardware_id,
        config.app_version,
        config.app_released_at,
        now,
        State(),
        config.grace,
        device_key=DeviceKeyFile(config.state_folder).find(),
        test_mode=config.test_mode,
        components=find_components(config.product_id) if compares else NONE,
    )
    result = evaluate_file(file, context)
    return replace(result, warnings=(*result.warnings, *config.warnings))
