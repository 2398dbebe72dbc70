"""An OpenFeature provider for the features of a license; it needs the extra ``openfeature``.

>>> from openfeature import api
>>> with client.open() as license:
...     provider = LicenseProvider(license.result)
...     api.set_provider_and_wait(provider)
...     with client.watch(provider.update):
...         api.get_client().get_integer_value("projects", 1)
5
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeVar

from openfeature.evaluation_context import EvaluationContext
from openfeature.event import ProviderEventDetails
from openfeature.exception import FlagNotFoundError, TypeMismatchError
from openfeature.flag_evaluation import FlagResolutionDetails, FlagValueType, Reason
from openfeature.provider import AbstractProvider, Metadata

from licet._model import EntitlementValue, LicenseResult
from licet._status import LicenseValidationStatus

__all__ = ["LicenseProvider"]

T = TypeVar("T")
ObjectValue = Sequence[FlagValueType] | Mapping[str, FlagValueType]


class LicenseProvider(AbstractProvider):
    """Resolves flags from what a license grants. The evaluation context does not matter.

    A boolean flag is true if and only if its feature is granted, whatever the default. The other
    types read the feature's value; a feature without one, or that is not granted, has the default.
    An object is the JSON in a text. In a grace period the reason is ``STALE``.

    Args:
        result: The result of a validation, or ``license.result`` of an open license.
    """

    def __init__(self, result: LicenseResult) -> None:
        super().__init__()
        self._result = result

    def update(self, result: LicenseResult) -> None:
        """Use another result from now on, and tell OpenFeature; for ``client.watch()``."""
        self._result = result
        self.emit_provider_configuration_changed(
            ProviderEventDetails(message=f"The license is {result.status.value}.")
        )

    def get_metadata(self) -> Metadata:
        return Metadata(name="licet")

    def resolve_boolean_details(
        self,
        flag_key: str,
        default_value: bool,
        evaluation_context: EvaluationContext | None = None,
    ) -> FlagResolutionDetails[bool]:
        if self._result.entitlement(flag_key) is None:
            return self._details(False)
        return self._resolve(flag_key, _boolean)

    def resolve_string_details(
        self,
        flag_key: str,
        default_value: str,
        evaluation_context: EvaluationContext | None = None,
    ) -> FlagResolutionDetails[str]:
        return self._resolve(flag_key, _string)

    def resolve_integer_details(
        self,
        flag_key: str,
        default_value: int,
        evaluation_context: EvaluationContext | None = None,
    ) -> FlagResolutionDetails[int]:
        return self._resolve(flag_key, _integer)

    def resolve_float_details(
        self,
        flag_key: str,
        default_value: float,
        evaluation_context: EvaluationContext | None = None,
    ) -> FlagResolutionDetails[float]:
        return self._resolve(flag_key, _float)

    def resolve_object_details(
        self,
        flag_key: str,
        default_value: ObjectValue,
        evaluation_context: EvaluationContext | None = None,
    ) -> FlagResolutionDetails[ObjectValue]:
        return self._resolve(flag_key, _object)

    def _resolve(
        self, name: str, read: Callable[[EntitlementValue], T | None]
    ) -> FlagResolutionDetails[T]:
        granted = self._result.entitlement(name)
        if granted is None:
            raise FlagNotFoundError(f"The license does not grant {name}.")
        value = read(granted)
        if value is None:
            raise TypeMismatchError(f"The value of {name} has another type.")
        return self._details(value)

    def _details(self, value: T) -> FlagResolutionDetails[T]:
        status = self._result.status
        in_grace = status is LicenseValidationStatus.GracePeriod
        return FlagResolutionDetails(
            value,
            reason=Reason.STALE if in_grace else Reason.STATIC,
            flag_metadata={"status": status.value},
        )


def _boolean(value: EntitlementValue) -> bool | None:
    return value if isinstance(value, bool) else None


def _string(value: EntitlementValue) -> str | None:
    return value if isinstance(value, str) else None


def _integer(value: EntitlementValue) -> int | None:
    number = _float(value)
    return int(number) if number is not None and number.is_integer() else None


def _float(value: EntitlementValue) -> float | None:
    return float(value) if isinstance(value, int | float) and not isinstance(value, bool) else None


def _object(value: EntitlementValue) -> ObjectValue | None:
    try:
        parsed: Any = json.loads(value) if isinstance(value, str) else None
    except ValueError:
        return None
    return parsed if isinstance(parsed, dict | list) else None
