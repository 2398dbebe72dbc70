"""The sentences for users as data, by code, so that applications can translate them.

>>> from licet import sentences
>>> sentences.sentence("Revoked", "de")
'Der Anbieter hat die Lizenz widerrufen. Wenden Sie sich an den Anbieter.'
>>> sentences.sentence("InsufficientBalance", "de", values={"cost": "2.5", "balance": 1})
'Das Guthaben der Lizenz reicht für diese Abbuchung nicht aus (2,5 benötigt, 1 übrig). Bitten Sie den Anbieter, es aufzuladen.'

A sentence names its values in braces: ``{seatsUsed}`` and ``{seatsTotal}``, ``{cost}`` and
``{balance}``, ``{retryAfterSeconds}``, ``{endsAt}`` of the term, ``{graceEndsAt}``, ``{refreshBy}``,
``{status}`` and ``{errorCode}`` of the server. A part in brackets is left out if one of its values
is not known, so each value should stand in one: ``"Renew it[ by {refreshBy}]."``
"""  # noqa: E501 - what a call returns is one line

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from decimal import Decimal

from licet._clock import format_time
from licet._licet_error import LicetError
from licet._model import LicenseResult
from licet._sentences_de import SENTENCES as _GERMAN
from licet._sentences_en import SENTENCES as _ENGLISH
from licet._status import LicenseValidationStatus as Status
from licet._wording import fill, plain, word
from licet.errors import (
    InsufficientBalanceError,
    OfflineCodeError,
    OnlineRequiredError,
    RequestRefusedError,
    SeatsExhaustedError,
    ServerFaultError,
)

__all__ = ["LANGUAGES", "SENTENCES", "sentence"]

SENTENCES: Mapping[str, Mapping[str, str]] = {"en": _ENGLISH, "de": _GERMAN}
"""The sentences of each language, by code."""
LANGUAGES = tuple(SENTENCES)
"""The languages that this package has."""

Value = str | int | float | Decimal | datetime

# Errors that the code of the server tells more about.
_BY_SERVER_CODE = frozenset(
    {"LeaseRefused", "LicenseRefused", "RequestRefused", "SeatsExhausted", "SessionLost"}
)
_AMOUNT = re.compile(r"-?\d+\.\d+", re.ASCII)


@dataclass(frozen=True, slots=True)
class _Subject:
    code: str
    values: Mapping[str, Value | None] = field(default_factory=dict)
    message: str | None = None
    cause: LicetError | None = None


def sentence(
    about: str | LicetError | LicenseResult,
    language: str = "en",
    *,
    translations: Mapping[str, str] | None = None,
    values: Mapping[str, Value] | None = None,
) -> str:
    """Return one or two sentences for the user, in this language. Raises nothing.

    An error or a result without a sentence, because its code is not known or the language is not
    one of :data:`LANGUAGES`, gives its ``message``, which is English; a code alone gives its
    English sentence.

    Args:
        about: An error, a result, or a code: a status, the ``code`` of an error, or the
            ``error_code`` of the server.
        language: A language such as ``de``; ``de-AT`` counts as ``de``.
        translations: Sentences in this language by code, which win over those of the package.
        values: Values by name, which win over those of the error or the result. Numbers and times
            are written as in German or else as in English, and any other text as it is.
    """
    language = re.split("[-_]", language)[0].lower()
    sentences = {**SENTENCES.get(language, {}), **(translations or {})}
    subject = _subject(about, sentences)
    template = sentences.get(subject.code)
    if template is None:
        if subject.message is not None:
            return subject.message
        template = _ENGLISH[subject.code]
    known = {**subject.values, **(values or {})}
    texts = {name: _written(value, language) for name, value in known.items() if value is not None}
    text = fill(template, texts)
    if subject.cause is None:
        return text
    return f"{sentence(subject.cause, language, translations=translations)} {text}"


def _subject(about: str | LicetError | LicenseResult, sentences: Mapping[str, str]) -> _Subject:
    if isinstance(about, LicenseResult):
        return _of_result(about)
    if isinstance(about, LicetError):
        return _of_error(about)
    if about in sentences or about in _ENGLISH:
        return _Subject(about)
    return _Subject("RequestRefused", {"errorCode": word(about)})


def _of_result(result: LicenseResult) -> _Subject:
    license_ = result.license
    values = {
        "endsAt": license_.expiration_date if license_ is not None else None,
        "graceEndsAt": result.grace_ends_at,
        "refreshBy": result.refresh_by,
        "status": word(result.server_status) if result.server_status is not None else None,
    }
    # What prevented the check says what to do about it.
    cause = result.cause if result.status is Status.OnlineRequired else None
    return _Subject(result.status.value, values, result.message, cause)


def _of_error(error: LicetError) -> _Subject:
    if isinstance(error, OnlineRequiredError | RequestRefusedError) and error.result is not None:
        return _of_result(error.result)
    code, values = error.code, dict[str, Value | None]()
    if isinstance(error, ServerFaultError):
        if error.error_code is not None:
            values["errorCode"] = word(error.error_code)
            code = error.error_code if code in _BY_SERVER_CODE else code
        if error.retry_after:
            values["retryAfterSeconds"] = math.ceil(error.retry_after)
    if isinstance(error, SeatsExhaustedError):
        values |= {"seatsUsed": error.seats_used, "seatsTotal": error.seats_total}
    if isinstance(error, OfflineCodeError):
        values["group"] = error.group
    if isinstance(error, InsufficientBalanceError):
        values |= {"cost": error.cost, "balance": error.balance}
    return _Subject(code, values, error.message)


def _written(value: Value, language: str) -> str:
    if isinstance(value, datetime):
        if language == "de":
            return value.astimezone(UTC).strftime("%d.%m.%Y um %H:%M UTC")
        return format_time(value)
    text = plain(value)
    return text.replace(".", ",") if language == "de" and _AMOUNT.fullmatch(text) else text
