from __future__ import annotations

import subprocess
import sys
from datetime import UTC, datetime
from decimal import Decimal

import pytest

from licet import LicenseResult, LicenseValidationStatus, sentences
from licet._error_codes import error_for_code, error_for_result
from licet.errors import (
    DnsError,
    DownloadWithdrawnError,
    LicetError,
    RateLimitedError,
    RequestRefusedError,
    SeatsExhaustedError,
)
from licet.sentences import sentence

Status = LicenseValidationStatus
END = datetime(2026, 12, 1, 8, 5, tzinfo=UTC)


def refused(code: str, said: str = "", **problem: object) -> RequestRefusedError:
    return error_for_code(code, problem, said, {"http_status": 409, "error_code": code})


def test_an_error_in_german_has_its_values() -> None:
    error = refused("InsufficientBalance", cost=Decimal("2.50"), balance=Decimal(1))
    assert "(2.50 needed, 1 left)" in error.message
    assert "(2,50 benötigt, 1 übrig)" in sentence(error, "de")
    assert "(2 von 3)" in sentence(
        refused("MaxActivationsReached", seatsUsed=2, seatsTotal=3), "de"
    )


def test_values_that_are_not_known_leave_no_gap() -> None:
    error = refused("MaxActivationsReached", seatsUsed=2)
    assert sentence(error, "de").startswith("Alle Plätze der Lizenz sind belegt. Deaktivieren")


def test_the_sentence_is_by_code_where_the_server_said_more() -> None:
    error = refused("LicenseInvalid", "The license was revoked. Ask the vendor for a new one.")
    assert error.message == "The license was revoked. Ask the vendor for a new one."
    assert sentence(error) == sentences.SENTENCES["en"]["LicenseInvalid"]
    assert sentence(error, "de") == sentences.SENTENCES["de"]["LicenseInvalid"]


def test_a_result_has_its_dates_as_the_language_writes_them() -> None:
    result = LicenseResult(Status.GracePeriod, "…", grace_ends_at=END)
    assert "bis zum 01.12.2026 um 08:05 UTC gültig" in sentence(result, "de")
    assert "valid until 2026-12-01 08:05 UTC" in sentence(result, "en-US")


@pytest.mark.parametrize("language", ["de", "de-AT", "de_CH", "DE"])
def test_an_error_of_opening_is_its_result_and_its_cause(language: str) -> None:
    cause = DnsError("The license server cannot be found. Check your internet connection.")
    error = error_for_result(LicenseResult(Status.OnlineRequired, "…", cause=cause))
    expected = [sentences.SENTENCES["de"][code] for code in ("Dns", "OnlineRequired")]
    assert sentence(error, language) == " ".join(expected)


def test_an_error_of_this_package_says_more_than_a_general_code_of_the_server() -> None:
    error = DownloadWithdrawnError("…", http_status=404, error_code="NotFound")
    assert sentence(error, "de") == sentences.SENTENCES["de"]["DownloadWithdrawn"]


def test_seconds_are_whole() -> None:
    error = RateLimitedError("…", http_status=429, retry_after=1.2)
    assert "(2 s)" in sentence(error, "de")
    assert "(" not in sentence(RateLimitedError("…", http_status=429, retry_after=0.0), "de")


class OtherError(LicetError):
    pass


@pytest.mark.parametrize(
    ("about", "language"),
    [
        (OtherError("The message."), "de"),
        (refused("Tomorrow", "The message."), "de"),
        (LicenseResult(Status.Revoked, "The message."), "fr"),
        (SeatsExhaustedError("The message.", http_status=409), ""),
    ],
    ids=["own-class", "newer-server", "language", "no-language"],
)
def test_what_has_no_sentence_is_its_message(
    about: LicetError | LicenseResult, language: str
) -> None:
    assert sentence(about, language) == "The message."


def test_a_code_alone_always_has_a_sentence() -> None:
    assert sentence("Tomorrow", "de") == sentence(
        "RequestRefused", "de", values={"errorCode": "Tomorrow"}
    )
    assert sentence("Expired", "fr") == "The license expired. Renew it with the vendor."


def test_translations_of_the_application_win() -> None:
    own = {
        "Revoked": "La licence est révoquée.",
        "Expired": "Expirée[ le {endsAt}].",
        "Mine": "Oui {x}",
    }
    assert sentence(LicenseResult(Status.Revoked, "…"), "fr", translations=own) == own["Revoked"]
    assert sentence("Revoked", "de", translations=own) == own["Revoked"]
    given = {"endsAt": "1er décembre"}
    assert sentence("Expired", "fr", translations=own, values=given) == "Expirée le 1er décembre."
    assert sentence("Mine", "fr", translations=own) == "Oui {x}"


def test_what_the_server_sent_is_no_template_and_no_essay() -> None:
    result = LicenseResult(Status.Unknown, "…", server_status="[{status}]" + "x" * 80)
    assert "([{status}]" + "x" * 30 + ")" in sentence(result)
    assert "(?)" in sentence(LicenseResult(Status.Unknown, "…", server_status="a\nb"))


def test_importing_the_package_loads_no_translation() -> None:
    code = "import sys, licet; print('licet._sentences_de' in sys.modules)"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout.strip() == "False"
