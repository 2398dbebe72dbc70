"""What a tag is, and that tags are compared without case."""

import pytest

from licet_server.kit.tags import (
    MAX_TAGS,
    TAG_MAX,
    has_tag,
    normal_tag,
    normal_tags,
    tag_breaches,
    without_tag,
)


@pytest.mark.parametrize(
    ("text", "tag"),
    [
        ("  VIP ", "VIP"),
        ("two words", "two words"),
        ("A\u0308rzte", "\u00c4rzte"),
        ("\U0001f469\u200d\U0001f4bb", "\U0001f469\u200d\U0001f4bb"),
        ("x" * TAG_MAX, "x" * TAG_MAX),
        ("x" * (TAG_MAX + 1), None),
        ("a" + "\u0301\u0316" * 170_000, None),  # to sort these would take minutes
        ("", None),
        (" \u00a0 ", None),
        ("\u200b", None),
        ("a\nb", None),
        ("a\x00b", None),
        ("a\u2028b", None),
    ],
)
def test_a_tag_is_trimmed_and_composed(text: str, tag: str | None) -> None:
    assert normal_tag(text) == tag


def test_duplicates_are_one_as_it_was_written_first() -> None:
    assert normal_tags(["Beta", "vip", "VIP", " beta ", "\u00c4", "\u00e4"]) == (
        "Beta",
        "vip",
        "\u00c4",
    )
    assert has_tag(("Beta",), "bETA")
    assert without_tag(("Beta", "vip"), "BETA") == ("vip",)


def test_only_distinct_tags_count() -> None:
    full = [f"tag {n}" for n in range(MAX_TAGS)]
    assert not list(tag_breaches("tags", [*full, *map(str.upper, full)]))
    assert [item.field for item in tag_breaches("tags", [*full, "more"])] == ["tags"]
    assert [item.field for item in tag_breaches("tags", ["", "a\tb"])] == ["tags"]
