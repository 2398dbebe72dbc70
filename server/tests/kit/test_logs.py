"""Logs drop what is named like a secret."""

from licet_server.kit.logs import drop_secrets


def test_secrets_are_masked_by_the_name_of_their_field() -> None:
    event = {
        "event": "x",
        "password": "a",
        "licenseKey": "b",
        "license_key": "c",
        "apiKey": "d",
        "refresh_token": "e",
        "status": 200,
    }
    kept = drop_secrets(None, "info", event)
    assert kept["status"] == 200
    assert {name for name, value in kept.items() if value == "***"} == {
        "password",
        "licenseKey",
        "license_key",
        "apiKey",
        "refresh_token",
    }
