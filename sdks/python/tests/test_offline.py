from __future__ import annotations

from base64 import b64encode
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest
from cryptography.hazmat.primitives.asymmetric import ec, rsa
from cryptography.hazmat.primitives.serialization import (
    Encoding,
    NoEncryption,
    PrivateFormat,
    PublicFormat,
)
from hypothesis import given, settings
from hypothesis import strategies as st
from licet_testkit import (
    FILES,
    HARDWARE,
    LICENSE_KEY,
    NOW,
    PRODUCT,
    PUBLIC_KEY,
    FakeClock,
    Vendor,
    is_long,
    make_client,
)

from licet import ConfigurationError, LicenseClient, LicenseFileError
from licet._offline import verify_text
from licet._public_key import load_public_key

ACTIVE: dict[str, Any] = {"activationMode": "Offline"}
PLAIN = Vendor().file(**ACTIVE)
SEALED = Vendor().protect(PLAIN)


def status_of(text: str, **options: object) -> str:
    given_options = {
        "product_id": PRODUCT,
        "public_key": PUBLIC_KEY,
        "license_key": LICENSE_KEY,
        "hardware_id": HARDWARE,
        "clock": lambda: NOW,
    }
    return verify_text(text, {**given_options, **options}).status


@pytest.mark.specification("service.sdk-offline")
def test_both_forms_are_valid() -> None:
    assert status_of(PLAIN) == status_of(SEALED) == "Valid"


@pytest.mark.specification("keys.signature-mismatch", "service.sdk-offline")
@pytest.mark.parametrize("good", [PLAIN, SEALED], ids=["plain", "protected"])
@settings(max_examples=300 if is_long() else 40, deadline=None)
@given(data=st.data())
def test_every_single_byte_edit_is_rejected(good: str, data: st.DataObject) -> None:
    at = data.draw(st.integers(0, len(good) - 1))
    byte = data.draw(st.integers(0, 127).map(chr))
    kind = data.draw(st.sampled_from(["replace", "insert", "delete"]))
    edited = {
        "replace": good[:at] + byte + good[at + 1 :],
        "insert": good[:at] + byte + good[at:],
        "delete": good[:at] + good[at + 1 :],
    }[kind]
    assert (status_of(edited) == "Valid") == (edited == good)


@pytest.mark.parametrize("good", [PLAIN, SEALED], ids=["plain", "protected"])
def test_unused_bits_of_the_last_symbol_are_checked(good: str) -> None:
    """Lenient decoders ignore these bits, so an edited signature would still verify."""
    symbols = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
    parts = good.split(".")
    for i, part in enumerate(parts):
        for symbol in symbols if part else "":
            edited = ".".join([*parts[:i], part[:-1] + symbol, *parts[i + 1 :]])
            assert (status_of(edited) == "Valid") == (edited == good)


def test_unused_bits_of_a_2048_bit_signature() -> None:
    private = rsa.generate_private_key(65537, 2048)
    pem = private.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
    from joserfc.jwk import RSAKey

    good = Vendor().file(key=RSAKey.import_key(pem), **ACTIVE)
    public = private.public_key().public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo)
    assert status_of(good, public_key=public) == "Valid"
    last = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
    edits = [good[:-1] + symbol for symbol in last if symbol != good[-1]]
    assert {status_of(edit, public_key=public) for edit in edits} == {"SignatureMismatch"}


def test_license_terms_of_the_file(tmp_path: Path, clock: FakeClock, vendor: Vendor) -> None:
    (tmp_path / "license.bin").write_text(vendor.file(features=["Export"], **ACTIVE))
    result = make_client(tmp_path, clock).validate_offline()
    assert result
    assert result.source == "file"
    assert result.license is not None
    assert result.license.issued_to == "ada@example.com"
    assert result.product is not None
    assert result.product.name == "Test product"
    assert result.has_feature("export")
    assert not result.has_feature("reports")


def test_an_invalid_license_grants_nothing(
    tmp_path: Path, clock: FakeClock, vendor: Vendor
) -> None:
    (tmp_path / "license.bin").write_text(vendor.file(features=None, **ACTIVE))
    client = make_client(tmp_path, clock)
    assert client.validate_offline().has_feature("anything")
    clock.advance(days=400)
    result = client.validate_offline()
    assert result.status == "Expired"
    assert not result
    assert not result.has_feature("anything")
    assert result.features == ()


def test_an_unreadable_file_raises(tmp_path: Path, clock: FakeClock) -> None:
    unusable = tmp_path / f"{'long' * 100}.bin"
    with pytest.raises(LicenseFileError, match=r"\.bin cannot be read"):
        make_client(tmp_path, clock, license_file=unusable).validate_offline()


def client_with_file(
    tmp_path: Path, clock: FakeClock, vendor: Vendor, **terms: Any
) -> LicenseClient:
    (tmp_path / "license.bin").write_text(vendor.file(**{**ACTIVE, **terms}))
    return make_client(tmp_path, clock)


def test_the_next_process_detects_a_clock_set_back(
    tmp_path: Path, clock: FakeClock, vendor: Vendor
) -> None:
    client_with_file(tmp_path, clock, vendor)
    clock.advance(days=60)
    assert make_client(tmp_path, clock).validate_offline().status == "Valid"
    clock.advance(days=-30)
    result = make_client(tmp_path, clock).validate_offline()
    assert result.status == "ClockTampered"
    assert "30 d" in result.message
    clock.advance(days=31)
    assert make_client(tmp_path, clock).validate_offline().status == "Valid"


def test_public_keys_that_are_refused() -> None:
    small = rsa.generate_private_key(65537, 1024).public_key()
    curve = ec.generate_private_key(ec.SECP256R1())
    spki = PublicFormat.SubjectPublicKeyInfo
    private = curve.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
    refused: list[tuple[str | bytes, str]] = [
        (small.public_bytes(Encoding.PEM, spki), "1024 bits"),
        (b64encode(small.public_bytes(Encoding.DER, spki)), "1024 bits"),
        (curve.public_key().public_bytes(Encoding.PEM, spki), "not an RSA key"),
        (private, "PRIVATE key"),
        (b"nonsense", "neither PEM"),
        ("-----BEGIN PUBLIC KEY-----\nAAAA\n-----END PUBLIC KEY-----", "neither PEM"),
    ]
    for bad, words in refused:
        with pytest.raises(ConfigurationError, match=words):
            load_public_key(bad)


def test_the_kid_is_the_thumbprint() -> None:
    assert load_public_key(PUBLIC_KEY).kid == FILES["kid"]


def test_a_clock_without_a_zone_is_refused(tmp_path: Path) -> None:
    (tmp_path / "license.bin").write_text(PLAIN)
    naive = make_client(tmp_path, FakeClock(datetime(2026, 6, 1)))  # noqa: DTZ001
    with pytest.raises(ConfigurationError, match="time zone"):
        naive.validate_offline()
