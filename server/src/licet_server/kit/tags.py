"""Tags: short labels by which people group and find things. They are compared without case."""

from collections.abc import Iterable, Iterator, Sequence

from msgspec import Struct

from licet_server.kit.characters import BREAKING, has_any
from licet_server.kit.errors import FieldError
from licet_server.kit.text import composed

MAX_TAGS, TAG_MAX = 20, 40

Tags = tuple[str, ...]
"""The tags of a thing, as they were written and in that order; none is there twice."""


class KnownTags(Struct):
    """Tags in use, by the alphabet."""

    tags: list[str]


def normal_tag(text: str) -> str | None:
    """Return a tag trimmed and composed (NFC); `None` for what cannot be a tag."""
    tag = composed(text).strip()
    is_visible = any(char.isprintable() and not char.isspace() for char in tag)
    if not is_visible or len(tag) > TAG_MAX:
        return None
    return None if has_any(tag, BREAKING) else tag


def normal_tags(texts: Iterable[str]) -> Tags:
    """Return these tags once each, as they are first written; what cannot be a tag is left out."""
    tags = filter(None, map(normal_tag, texts))
    once: dict[str, str] = {}
    for tag in tags:
        once.setdefault(tag.lower(), tag)
    return tuple(once.values())


def tag_breaches(field: str, texts: Sequence[str]) -> Iterator[FieldError]:
    """Yield what is wrong with the tags of a body."""
    if None in map(normal_tag, texts):
        yield FieldError(field, f"{TAG_RULE.removesuffix('.')} each.")
    elif len(normal_tags(texts)) > MAX_TAGS:
        yield FieldError(field, f"must have at most {MAX_TAGS} tags.")


def wanted_tags(texts: Sequence[str] | None) -> Tags | None:
    """Return the tags that a list is filtered by; `None` does not filter, nor does a blank."""
    return tuple(filter(str.strip, texts or ())) or None


TAG_FILTER = "A tag, ignoring case; given several times, those that have all of them."
TAG_RULE = f"must have 1 to {TAG_MAX} characters, and no control characters."


def has_tag(tags: Tags, tag: str) -> bool:
    """Return whether the tag is one of these."""
    return tag.lower() in {item.lower() for item in tags}


def without_tag(tags: Tags, tag: str) -> Tags:
    """Return these tags but for one."""
    return tuple(item for item in tags if item.lower() != tag.lower())
