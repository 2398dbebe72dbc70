"""Sentences for users: by code, in a language, with what is known."""

from __future__ import annotations

END = "2026-12-01T09:05:59+01:00"
AMOUNTS = {"cost": "2.50", "balance": "1"}


def sentence_cases() -> list[dict]:
    def case(name: str, code: str, language: str, sentence: str, **values: object) -> dict:
        given = {"name": name, "code": code, "language": language, "values": values}
        return {**given, "sentence": sentence}

    revoked = "Der Anbieter hat die Lizenz widerrufen. Wenden Sie sich an den Anbieter."
    expired = "The license expired. Renew it with the vendor."
    short = "Das Guthaben der Lizenz reicht für diese Abbuchung nicht aus"
    add = "Bitten Sie den Anbieter, es aufzuladen."
    renew = "Verlängern Sie sie beim Anbieter."
    return [
        case("english", "Expired", "en", expired),
        case("german", "Revoked", "de", revoked),
        case("german-of-austria", "Revoked", "de-AT", revoked),
        case("german-in-capitals", "Revoked", "DE_ch", revoked),
        case("a-language-without-sentences", "Expired", "fr", expired),
        case("no-language", "Expired", "", expired),
        case("a-shared-sentence", "LicenseExpired", "de", f"Die Lizenz ist abgelaufen. {renew}"),
        case(
            "english-amounts",
            "InsufficientBalance",
            "en",
            "The license's balance does not cover this charge (2.50 needed, 1 left). Ask the "
            "vendor to add to it.",
            **AMOUNTS,
        ),
        case(
            "german-amounts",
            "InsufficientBalance",
            "de",
            f"{short} (2,50 benötigt, 1 übrig). {add}",
            **AMOUNTS,
        ),
        case("one-amount", "InsufficientBalance", "de", f"{short}. {add}", cost="2.50"),
        case(
            "seats",
            "MaxConcurrentSessionsReached",
            "de",
            "Alle Plätze der Lizenz sind belegt (2 von 2). Schließen Sie die Anwendung auf "
            "einem anderen Gerät, oder bitten Sie den Anbieter um weitere Plätze.",
            seatsUsed=2,
            seatsTotal=2,
        ),
        case(
            "seconds",
            "RateLimited",
            "de",
            "Der Lizenzserver ist ausgelastet. Warten Sie einen Moment (30 s) und versuchen Sie es "
            "erneut.",
            retryAfterSeconds=30,
        ),
        case(
            "an-english-time",
            "Expired",
            "en",
            "The license expired on 2026-12-01 08:05 UTC. Renew it with the vendor.",
            endsAt=END,
        ),
        case(
            "a-german-time",
            "Expired",
            "de",
            f"Die Lizenz ist am 01.12.2026 um 08:05 UTC abgelaufen. {renew}",
            endsAt=END,
        ),
        case(
            "a-code-of-a-newer-server",
            "Tomorrow",
            "de",
            "Der Lizenzserver hat die Anfrage abgelehnt (Tomorrow). Wenden Sie sich an den "
            "Anbieter.",
        ),
        case(
            "a-value-is-no-template",
            "Unknown",
            "en",
            "The license has a status ([{errorCode}]) that this version of the application does "
            "not know. Update the application or contact the vendor.",
            status="[{errorCode}]",
            errorCode="Tomorrow",
        ),
    ]
