from __future__ import annotations

import ast
import inspect
import re
import textwrap

import pytest

import licet
from licet import errors


def test_the_public_names() -> None:
    assert all(hasattr(licet, name) for name in licet.__all__)


def field_texts(kind: type) -> dict[str, str]:
    """The text under each field of a class, which an editor shows beside its type."""
    [found] = ast.parse(textwrap.dedent(inspect.getsource(kind))).body
    assert isinstance(found, ast.ClassDef)
    texts: dict[str, str] = {}
    for field, text in zip(found.body, found.body[1:], strict=False):
        if isinstance(field, ast.AnnAssign) and isinstance(field.target, ast.Name):
            assert isinstance(text, ast.Expr), field.target.id
            assert isinstance(text.value, ast.Constant), field.target.id
            texts[field.target.id] = " ".join(str(text.value.value).split())
    return texts


def test_an_editor_shows_what_each_option_is_and_its_default() -> None:
    texts = field_texts(licet.ClientOptions)
    assert texts.keys() == licet.ClientOptions.__annotations__.keys()
    for name, text in texts.items():
        assert re.search(r"\bdefault\b|\brequired\b", text), name
        assert text.endswith("."), name


@pytest.mark.parametrize("of", [licet.LicenseClient.open, licet.LicenseClient.from_settings])
def test_an_editor_shows_what_each_argument_is(of: object) -> None:
    assert callable(of)
    text = inspect.getdoc(of) or ""
    for name in inspect.signature(of).parameters.keys() - {"self"}:
        assert re.search(rf"^    {name}: [A-Z].*", text, re.MULTILINE), name
    assert "As for :meth:" not in text


def test_every_error_is_public_and_documented() -> None:
    classes = [
        c for _, c in inspect.getmembers(errors, inspect.isclass) if c.__module__ == errors.__name__
    ]
    assert len(classes) == 39
    for error in classes:
        assert issubclass(error, licet.LicetError)
        assert error.__name__ in licet.__all__
        assert f"`{error.__name__}`" in (errors.__doc__ or "")


def test_both_clients_have_the_same_methods() -> None:
    def public(kind: type) -> set[str]:
        return {name for name in dir(kind) if not name.startswith("_")} - {"close", "aclose"}

    assert public(licet.LicenseClient) == public(licet.AsyncLicenseClient)
    assert public(licet.Session) == public(licet.AsyncSession)
    assert public(licet.Seat) == public(licet.AsyncSeat)
    assert public(licet.OpenLicense) | {"close"} == public(licet.AsyncOpenLicense) | {"close"}
    assert public(licet.BorrowedSeat) == public(licet.AsyncBorrowedSeat)
    assert public(licet.ReservedCredits) == public(licet.AsyncReservedCredits)
    assert public(licet.Session) == {
        "alive",
        "borrow",
        "expires_at",
        "id",
        "open",
        "seats_total",
        "seats_used",
    }
    assert public(licet.Seat) == {"activation", "alive", "borrow", "session"}


def test_statuses() -> None:
    assert [status.value for status in licet.LicenseValidationStatus if status.valid] == [
        "Valid",
        "GracePeriod",
    ]
    assert len(licet.LicenseValidationStatus) == 23
