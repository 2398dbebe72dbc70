from __future__ import annotations

import json
import sys
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from licet_testkit import API_KEY, LICENSE_KEY, PRODUCT, PUBLIC_KEY

from licet import ConfigurationError, LicenseClient
from licet._config import Config, make_config
from licet._settings import application_folder

GOOD = {"ProductId": PRODUCT, "PublicKey": PUBLIC_KEY}


def write(folder: Path, content: Any, name: str = "licet.json") -> None:
    text = content if isinstance(content, str) else json.dumps(content)
    (folder / name).write_text(text, encoding="utf-8")


def config(folder: Path, **explicit: Any) -> Config:
    return LicenseClient.from_settings(folder, **explicit)._core.config


@pytest.mark.specification("sdk.settings-order")
def test_options_override_the_file_and_the_file_the_defaults(tmp_path: Path) -> None:
    write(tmp_path, {**GOOD, "GracePeriodDays": 2, "AppVersion": "1.0.0"})
    made = config(tmp_path, app_version="9.0.0", grace_period=None)
    assert made.app_version == "9.0.0"
    assert made.grace == timedelta(days=2)
    assert made.timeout == 10.0
    assert made.places.installed_file == tmp_path / "license.bin"
    assert config(tmp_path, grace_period=timedelta(hours=1)).grace == timedelta(hours=1)


@pytest.mark.specification("sdk.settings-order")
def test_only_the_first_file_is_read(tmp_path: Path) -> None:
    write(tmp_path, {**GOOD, "ApiKey": "pk_second"}, "appsettings.json")
    assert config(tmp_path).api_key == "pk_second"
    write(tmp_path, GOOD)
    assert config(tmp_path).api_key is None


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (
            {**GOOD, "TimeoutSeconds": "10"},
            r'licet\.json: TimeoutSeconds must be a number, not "10"',
        ),
        ({**GOOD, "GracePeriodDays": True}, "GracePeriodDays must be a number"),
        ({**GOOD, "AppVersion": 2}, "AppVersion must be a string"),
        ({**GOOD, "ProtectFile": "yes"}, "ProtectFile must be true or false"),
        ({**GOOD, "LicenseFile": ["a"]}, "LicenseFile must be a path"),
        (
            {**GOOD, "ApiKey": "a", "productApiKey": "b"},
            "productApiKey and ApiKey set the same option",
        ),
        ({**GOOD, "GracePeriodDays": -1}, "GracePeriodDays"),
        ({**GOOD, "GracePeriodDays": 1e300}, "GracePeriodDays"),
        ({**GOOD, "TimeoutSeconds": 0}, "TimeoutSeconds"),
        ({"ProductId": PRODUCT}, "PublicKey is missing"),
        ({"PublicKey": PUBLIC_KEY}, "ProductId is missing"),
        ({}, "ProductId is missing"),
        ("[]", "must contain a JSON object"),
        ('{"a": 1,\n oops}', "line 2"),
    ],
)
def test_errors_name_the_setting(content: Any, words: str, tmp_path: Path) -> None:
    write(tmp_path, content)
    with pytest.raises(ConfigurationError, match=words):
        config(tmp_path)


def test_errors_do_not_contain_secrets(tmp_path: Path) -> None:
    write(tmp_path, {**GOOD, "ApiKey": ["pk_secret"]})
    with pytest.raises(ConfigurationError) as caught:
        config(tmp_path)
    assert "pk_secret" not in str(caught.value)


@pytest.mark.specification("sdk.base-url")
@pytest.mark.parametrize(
    "address",
    [
        "https://licenses.example.com",
        "https://licenses.example.com/",
        "https://licenses.example.com/api/licenses",
        "https://licenses.example.com/myapi",
        "licenses.example.com/api",
        "/api",
        "",
        "ftp://licenses.example.com/api",
        "https:///api",
        "https://licenses.example.com/api?x=1",
        "https://licenses.example.com/api#x",
        "https://user:pw@licenses.example.com/api",
        "https://licenses.example.com:99999/api",
        "https://licenses .example.com/api",
    ],
)
def test_addresses_that_do_not_end_in_api_are_rejected(address: str) -> None:
    with pytest.raises(ConfigurationError, match=r"ServerBaseEndpoint .*end(s)? in /api"):
        LicenseClient(product_id=PRODUCT, public_key=PUBLIC_KEY, server_base_endpoint=address)


@pytest.mark.parametrize(
    "address", ["https://a.example/api", "http://[::1]:8000/x/api", "https://a/API/"]
)
def test_valid_addresses(address: str) -> None:
    client = LicenseClient(product_id=PRODUCT, public_key=PUBLIC_KEY, server_base_endpoint=address)
    assert client._core.config.endpoint == address.rstrip("/")


def test_errors_name_what_the_server_needs() -> None:
    client = LicenseClient(product_id=PRODUCT, public_key=PUBLIC_KEY, license_key=LICENSE_KEY)
    with pytest.raises(ConfigurationError, match="ServerBaseEndpoint is missing"):
        client.validate_online()
    with pytest.raises(TypeError, match="unknown options: colour"):
        LicenseClient(product_id=PRODUCT, public_key=PUBLIC_KEY, colour="red")  # type: ignore[call-arg]


def test_short_keys_cannot_protect_a_file() -> None:
    given = {"product_id": PRODUCT, "public_key": PUBLIC_KEY, "license_key": "short-key"}
    config = make_config({**given, "protect_file": True})
    assert config.protect_file is False
    assert "ProtectFile" in config.warnings[0]


def test_the_folder_of_the_program(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    script = tmp_path / "app.py"
    script.write_text("")
    monkeypatch.setattr(sys, "argv", [str(script)])
    write(tmp_path, GOOD)
    assert application_folder() == tmp_path.resolve()
    assert LicenseClient.from_settings()._core.config.product_id == PRODUCT
    monkeypatch.setattr(sys, "argv", ["-c"])
    assert application_folder() == Path.cwd()


def test_repr_contains_no_secrets() -> None:
    client = LicenseClient(
        product_id=PRODUCT,
        public_key=PUBLIC_KEY,
        license_key=LICENSE_KEY,
        api_key=API_KEY,
        username="ada",
        password="hunter22",
        hardware_id="h1m-secret",
    )
    shown = repr(client) + repr(client._core.config)
    for secret in (API_KEY, LICENSE_KEY, LICENSE_KEY.replace("-", ""), "hunter22", "h1m-secret"):
        assert secret not in shown
