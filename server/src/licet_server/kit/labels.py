"""Metadata: pairs of texts that users attach to what they create."""

from collections.abc import Iterator, Mapping

from licet_server.kit.errors import FieldError

Labels = dict[str, str]

MAX_PAIRS = 50
NAME_MAX, VALUE_MAX = 100, 1000


def metadata_breaches(metadata: Mapping[str, str]) -> Iterator[FieldError]:
    """Yield what is wrong with the `metadata` of a body."""
    if len(metadata) > MAX_PAIRS:
        yield FieldError("metadata", f"must have at most {MAX_PAIRS} entries.")
    for name, value in metadata.items():
        if not 1 <= len(name) <= NAME_MAX:
            yield FieldError("metadata", f"must have names of 1 to {NAME_MAX} characters.")
        if len(value) > VALUE_MAX:
            field = f"metadata.{name[:NAME_MAX]}"
            yield FieldError(field, f"must have at most {VALUE_MAX} characters.")
