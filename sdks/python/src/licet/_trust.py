"""What a settings file may say about whom to trust, since the end user can edit it.

The order is as for every option: what the code names, else the settings file, else the default. A
file that alone names a public key or a longer grace period is followed, with a warning, unless the
code turns ``trust_settings`` off.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import timedelta
from typing import Any

from licet._public_key import PublicKey, load_public_key, load_public_keys
from licet._settings import SettingsFile
from licet.errors import ConfigurationError

DEFAULT_GRACE = timedelta(days=7)
MAX_GRACE = timedelta(days=36_500)

_KEYS = ("public_key", "public_keys")


def merge(code: Mapping[str, Any], settings: SettingsFile) -> dict[str, Any]:
    """The options of the code, then those of the settings file. ``None`` counts as not given."""
    named = {name: value for name, value in code.items() if value is not None}
    replaced = set(_KEYS) if any(name in named for name in _KEYS) else set()
    stated = {
        name: value
        for name, value in settings.options.items()
        if value is not None and name not in replaced
    }
    return {**stated, **named}


def trusted_keys(given: Mapping[str, Any]) -> tuple[PublicKey, ...]:
    """Load the public keys that are trusted.

    Raises:
        ConfigurationError: There is none, there are two lists of them, or one is not a public key.
    """
    one, several = (given.get(name) for name in _KEYS)
    if one is not None and several is not None:
        raise ConfigurationError(
            "PublicKey and PublicKeys set the same option. Name every key in PublicKeys, and "
            "remove PublicKey."
        )
    if several is not None:
        return load_public_keys(several)
    if not isinstance(one, str | bytes) or not one.strip():
        raise ConfigurationError(
            "PublicKey is missing. Pass public_key=... in the application's code; the product's "
            "page in the dashboard shows it."
        )
    return (load_public_key(one),)


def grace_period(code: Mapping[str, Any], settings: SettingsFile) -> timedelta:
    """The grace period: of the code, else of the file up to the code's ceiling, else 7 days.

    Raises:
        ConfigurationError: A value is negative, too long, or above the ceiling of the code.
    """
    ceiling = code.get("max_grace_period")
    if ceiling is not None:
        ceiling = _duration(ceiling, "max_grace_period")
    if code.get("grace_period") is not None:
        grace = _duration(code["grace_period"], "grace_period")
        if ceiling is not None and grace > ceiling:
            raise ConfigurationError("grace_period must not be longer than max_grace_period.")
        return grace
    grace = DEFAULT_GRACE
    if settings.options.get("grace_period_days") is not None:
        grace = _days(settings.options["grace_period_days"])
    return grace if ceiling is None else min(grace, ceiling)


def trust_warnings(code: Mapping[str, Any], settings: SettingsFile) -> tuple[str, ...]:
    """What only the settings file says about whom to trust, a sentence for each.

    Raises:
        ConfigurationError: There is something, and the code has turned ``trust_settings`` off.
    """
    found = tuple(_findings(code, settings))
    if found and code.get("trust_settings") is False:
        raise ConfigurationError(f"{found[0]} The application does not accept this.")
    return found


def _findings(code: Mapping[str, Any], settings: SettingsFile) -> list[str]:
    name, stated = settings.name, settings.options
    found = []
    if any(stated.get(key) for key in _KEYS) and not any(code.get(key) for key in _KEYS):
        found.append(
            f"The public key comes from {name}, and whoever can edit that file can replace it and "
            "sign licenses. Name the key in the application's code (public_keys)."
        )
    days = stated.get("grace_period_days")
    if days is None or code.get("grace_period") is not None:
        return found
    stated_grace, ceiling = _days(days), code.get("max_grace_period")
    if ceiling is None and stated_grace > DEFAULT_GRACE:
        found.append(
            f"{name} extends the grace period to {days:g} days. Name grace_period or "
            "max_grace_period in the application's code."
        )
    return found


def ceiling_warnings(
    grace: timedelta, settings: SettingsFile, code: Mapping[str, Any]
) -> tuple[str, ...]:
    """A warning if the settings file asks for a longer grace period than the code allows."""
    days = settings.options.get("grace_period_days")
    if days is None or code.get("grace_period") is not None or _days(days) <= grace:
        return ()
    allowed = f"the application allows {grace / timedelta(days=1):g}"
    return (f"{settings.name} asks for a grace period of {days:g} days; {allowed}.",)


def _days(value: Any) -> timedelta:
    if not 0 <= value < MAX_GRACE.days:
        raise _bad_grace("GracePeriodDays")
    return timedelta(days=value)


def _duration(value: Any, label: str) -> timedelta:
    if not isinstance(value, timedelta) or value < timedelta(0):
        raise _bad_grace(label)
    return value


def _bad_grace(label: str) -> ConfigurationError:
    return ConfigurationError(
        f"{label} is not a grace period: it must not be negative. Set GracePeriodDays to 0 or "
        "more days, or grace_period to a timedelta."
    )
