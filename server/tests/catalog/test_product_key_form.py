"""The form of a product key: it names its institution, and nothing else is one."""

from uuid import UUID

import pytest
from hypothesis import given
from hypothesis import strategies as st

from licet_server.catalog.rules.model import RANDOM_BYTES, institution_of, key_hash, product_key

RANDOM = st.binary(min_size=RANDOM_BYTES, max_size=RANDOM_BYTES)


@given(st.uuids(), RANDOM)
def test_a_key_names_its_institution(institution_id: UUID, random_bytes: bytes) -> None:
    key = product_key(institution_id, random_bytes)
    assert len(key) == len("pk_") + 26 + 32
    assert key.isascii()
    assert key == key.lower()
    assert institution_of(key) == institution_id
    assert len(key_hash(key)) == 32


@given(st.uuids(), RANDOM, RANDOM)
def test_other_random_bytes_make_another_key(
    institution_id: UUID, one: bytes, other: bytes
) -> None:
    same = product_key(institution_id, one) == product_key(institution_id, other)
    assert same == (one == other)


@given(st.text(max_size=80))
def test_other_texts_are_not_keys(text: str) -> None:
    institution_id = institution_of(text)
    assert institution_id is None or text.startswith("pk_")


@pytest.mark.parametrize(
    "spoil",
    [
        lambda key: key[:-1],
        lambda key: key + "0",
        lambda key: key + "\n",
        lambda key: key.upper(),
        lambda key: key.replace("pk_", "sk_"),
        lambda key: key[:-1] + "u",
        lambda key: "pk_8" + key[4:],
        lambda key: " " + key,
        lambda key: "",
    ],
)
def test_an_altered_key_is_invalid(spoil) -> None:  # type: ignore[no-untyped-def]
    key = product_key(UUID(int=5), bytes(RANDOM_BYTES))
    assert institution_of(key) == UUID(int=5)
    assert institution_of(spoil(key)) is None


def test_too_few_random_bytes_are_refused() -> None:
    with pytest.raises(ValueError, match="20 random bytes"):
        product_key(UUID(int=1), b"short")
