"""Whom an application trusts: what its code names, and what a settings file may say besides."""

from __future__ import annotations

import json
import logging
import ssl
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from joserfc.jwk import RSAKey
from licet_testkit import (
    HARDWARE,
    NOW,
    PRODUCT,
    PUBLIC_KEY,
    VECTORS,
    FakeClock,
    LicenseServer,
    Vendor,
    make_client,
    online,
)

from licet import AsyncLicenseClient, ConfigurationError, LicenseClient
from licet._config import make_config
from licet._connections import network_of
from licet._settings import SettingsFile

STALE_KEY = (
    RSAKey.import_key((VECTORS / "TEST-ONLY-stale-key.pem").read_bytes())
    .as_pem(private=False)
    .decode()
)
OFFLINE: dict[str, Any] = {"activationMode": "Offline"}
DAY = timedelta(days=1)


def write(folder: Path, **content: Any) -> None:
    (folder / "licet.json").write_text(json.dumps({"ProductId": PRODUCT, **content}))


def from_settings(folder: Path, **code: Any) -> LicenseClient:
    options = {"hardware_id": HARDWARE, "clock": lambda: NOW, **code}
    return LicenseClient.from_settings(folder, **options)


# Public keys.


def test_a_settings_file_cannot_replace_the_key_that_the_code_names(
    tmp_path: Path, vendor: Vendor
) -> None:
    """H4: another key in licet.json, and a license.bin signed with it."""
    (tmp_path / "license.bin").write_text(vendor.file(key=vendor.stale, **OFFLINE))
    for planted in ({"PublicKey": STALE_KEY}, {"PublicKeys": [STALE_KEY, PUBLIC_KEY]}):
        write(tmp_path, **planted)
        for code in ({"public_key": PUBLIC_KEY}, {"public_keys": [PUBLIC_KEY]}):
            result = from_settings(tmp_path, **code).validate()
            assert result.status == "SignatureMismatch"
            assert result.warnings == ()


def test_a_key_that_only_the_settings_file_names_is_used_with_a_warning(
    tmp_path: Path, vendor: Vendor, caplog: pytest.LogCaptureFixture
) -> None:
    write(tmp_path, PublicKey=PUBLIC_KEY)
    (tmp_path / "license.bin").write_text(vendor.file(**OFFLINE))
    caplog.set_level(logging.WARNING, "licet")
    client = from_settings(tmp_path)
    result = client.validate()
    assert result.valid
    [warning] = result.warnings
    assert result.warning == warning
    assert "public key comes from licet.json" in warning
    assert [record.message for record in caplog.records] == [warning]
    assert client.validate_offline().warnings == (warning,)


async def test_every_result_of_both_clients_has_the_warning(
    tmp_path: Path, clock: FakeClock, server: LicenseServer
) -> None:
    write(tmp_path, PublicKeys=[STALE_KEY, PUBLIC_KEY])
    options = {"clock": clock, **online(server)}
    client = from_settings(tmp_path, **options)
    results = [client.validate_offline(), client.validate_online(), client.refresh()]
    results.append(client.validate())
    async with AsyncLicenseClient.from_settings(
        tmp_path, **{"hardware_id": HARDWARE, **options}
    ) as other:
        results.append(await other.validate())
        results.append(await other.refresh())
    server.on_validate = lambda _: (200, {"Content-Type": "application/json"}, b"{}")
    results.append(client.validate_online())
    assert all(len(result.warnings) == 1 for result in results), results


def test_the_code_can_refuse_a_key_of_the_settings_file(tmp_path: Path) -> None:
    for planted in ({"PublicKey": PUBLIC_KEY}, {"PublicKeys": [PUBLIC_KEY]}):
        write(tmp_path, **planted)
        with pytest.raises(ConfigurationError, match=r"public key comes from licet\.json"):
            from_settings(tmp_path, trust_settings=False)
        from_settings(tmp_path, public_key=PUBLIC_KEY, trust_settings=False).close()


def test_the_switch_cannot_be_set_in_the_settings_file(tmp_path: Path) -> None:
    write(tmp_path, PublicKey=PUBLIC_KEY, TrustSettings=True)
    with pytest.raises(ConfigurationError, match="public key"):
        from_settings(tmp_path, trust_settings=False)


def test_each_of_several_keys_is_trusted(tmp_path: Path, clock: FakeClock, vendor: Vendor) -> None:
    """The next key is in the build before the server uses it."""
    for keys in ([PUBLIC_KEY, STALE_KEY], [STALE_KEY, PUBLIC_KEY, PUBLIC_KEY]):
        client = make_client(tmp_path, clock, public_key=None, public_keys=keys)
        for signer in (vendor.key, vendor.stale):
            (tmp_path / "license.bin").write_text(vendor.file(key=signer, **OFFLINE))
            assert client.validate_offline().status == "Valid"


@pytest.mark.parametrize("named", [True, False], ids=["kid", "no kid"])
def test_verdicts_of_each_of_several_keys_are_trusted(
    named: bool, tmp_path: Path, clock: FakeClock, server: LicenseServer, vendor: Vendor
) -> None:
    if not named:
        vendor.sign = _without_kid(vendor)  # type: ignore[method-assign]
    keys = {"public_key": None, "public_keys": [PUBLIC_KEY, STALE_KEY]}
    client = make_client(tmp_path, clock, **online(server, **keys))
    server.on_validate = lambda body: (
        200,
        {"Content-Type": "application/json"},
        json.dumps({"token": vendor.verdict(body, clock.now, key=vendor.stale)}).encode(),
    )
    try:
        assert client.validate_online().status == "Valid"
        one = make_client(tmp_path, clock, **online(server))
        assert one.validate_online().status == "SignatureMismatch"
    finally:
        vendor.__dict__.pop("sign", None)


def _without_kid(vendor: Vendor) -> Any:
    from joserfc import jws

    def sign(claims: dict[str, Any], typ: str, key: RSAKey | None = None) -> str:
        header = {"alg": "RS256", "typ": typ}
        signer = key or vendor.key
        return jws.serialize_compact(header, json.dumps(claims), signer, algorithms=["RS256"])

    return sign


@pytest.mark.parametrize(
    ("keys", "words"),
    [
        ([], "1 to 16"),
        ([PUBLIC_KEY] * 17, "1 to 16"),
        (PUBLIC_KEY, "must be a list"),
        ({"a": PUBLIC_KEY}, "must be a list"),
        (7, "must be a list"),
        ([7], "PEM or Base64"),
        ([PUBLIC_KEY, ""], "PEM or Base64"),
        ([PUBLIC_KEY, "AAAA"], "neither PEM nor Base64"),
        ([(VECTORS / "TEST-ONLY-stale-key.pem").read_text()], "PRIVATE key"),
    ],
)
def test_wrong_lists_of_keys_are_refused(keys: Any, words: str) -> None:
    with pytest.raises(ConfigurationError, match=words):
        LicenseClient(product_id=PRODUCT, public_keys=keys)


def test_one_key_and_a_list_are_not_mixed(tmp_path: Path) -> None:
    with pytest.raises(ConfigurationError, match="same option"):
        LicenseClient(product_id=PRODUCT, public_key=PUBLIC_KEY, public_keys=[STALE_KEY])
    write(tmp_path, PublicKey=PUBLIC_KEY, PublicKeys=[PUBLIC_KEY])
    with pytest.raises(ConfigurationError, match="same option"):
        from_settings(tmp_path)
    write(tmp_path, PublicKeys=PUBLIC_KEY)
    with pytest.raises(ConfigurationError, match="PublicKeys must be a list of strings"):
        from_settings(tmp_path)


# Grace period.


@pytest.mark.parametrize(
    ("code", "days", "grace", "warned"),
    [
        ({}, 3, 3, False),
        ({}, 7, 7, False),
        ({}, 30, 30, True),
        ({"grace_period": 2 * DAY}, 3000, 2, False),
        ({"grace_period": 2 * DAY}, 1, 2, False),
        ({"max_grace_period": 10 * DAY}, 3000, 10, True),
        ({"max_grace_period": 10 * DAY}, 9, 9, False),
        ({"max_grace_period": 2 * DAY}, None, 2, False),
        ({"max_grace_period": 30 * DAY}, None, 7, False),
        ({"max_grace_period": 0 * DAY}, 5, 0, True),
    ],
)
def test_a_settings_file_cannot_extend_the_grace_period_of_the_code(
    code: dict[str, Any], days: float | None, grace: float, warned: bool, tmp_path: Path
) -> None:
    write(tmp_path, GracePeriodDays=days)
    config = from_settings(tmp_path, public_key=PUBLIC_KEY, **code)._core.config
    assert config.grace == timedelta(days=grace)
    assert bool(config.warnings) is warned


def test_the_code_can_refuse_a_longer_grace_period(tmp_path: Path) -> None:
    write(tmp_path, GracePeriodDays=30)
    with pytest.raises(ConfigurationError, match="extends the grace period to 30 days"):
        from_settings(tmp_path, public_key=PUBLIC_KEY, trust_settings=False)
    for wrong in ({"grace_period": 3 * DAY, "max_grace_period": DAY}, {"max_grace_period": -DAY}):
        with pytest.raises(ConfigurationError, match="grace"):
            from_settings(tmp_path, public_key=PUBLIC_KEY, **wrong)


# Certificate authorities and addresses.


def test_nothing_adds_to_the_authorities_that_the_code_names(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    planted, own = tmp_path / "planted.pem", tmp_path / "own.pem"
    for path, name in ((planted, "Planted"), (own, "Own")):
        path.write_bytes(_authority(name))
    monkeypatch.setenv("SSL_CERT_FILE", str(planted))
    settings = SettingsFile(tmp_path / "licet.json", {"verify": planted})
    required = {"product_id": PRODUCT, "public_key": PUBLIC_KEY}
    named = make_config({**required, "verify": own}, settings)
    assert named.verify == own
    assert _authorities(network_of(named).ssl_context) & {"Planted", "Own"} == {"Own"}
    stated = make_config(required, settings)
    assert "Planted" in _authorities(network_of(stated).ssl_context)


def _authority(name: str) -> bytes:
    from cryptography import x509
    from cryptography.hazmat.primitives import hashes
    from cryptography.hazmat.primitives.asymmetric import ec
    from cryptography.hazmat.primitives.serialization import Encoding

    key = ec.generate_private_key(ec.SECP256R1())
    subject = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, name)])
    made = (
        x509.CertificateBuilder()
        .subject_name(subject)
        .issuer_name(subject)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(NOW)
        .not_valid_after(NOW + 3650 * DAY)
        .add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
        .sign(key, hashes.SHA256())
    )
    return made.public_bytes(Encoding.PEM)


def _authorities(context: ssl.SSLContext) -> set[str]:
    found: list[Any] = [part for item in context.get_ca_certs() for part in item["subject"]]
    return {value for part in found for name, value in part if name == "commonName"}


@pytest.mark.parametrize(
    "address",
    [
        "http://licenses.example.com/api",
        "http://10.0.0.5:8000/api",
        "http://localhost.example.com/api",
        "http://127.0.0.1.example.com/api",
        "http://0.0.0.0/api",
        "http://2130706433/api",
        "HTTP://licenses.example.com/api",
    ],
)
def test_a_far_server_needs_https(address: str) -> None:
    with pytest.raises(ConfigurationError, match="must use https"):
        LicenseClient(product_id=PRODUCT, public_key=PUBLIC_KEY, server_base_endpoint=address)


@pytest.mark.parametrize(
    "address", ["http://localhost/api", "http://127.8.9.1:1/api", "http://[::1]/api"]
)
def test_this_computer_needs_no_https(address: str) -> None:
    made = LicenseClient(product_id=PRODUCT, public_key=PUBLIC_KEY, server_base_endpoint=address)
    made.close()
