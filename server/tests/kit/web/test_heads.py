"""Headers that come in several lines are one list, for each reader the same."""

from licet_server.kit.web.heads import breach_of_head, combined


def test_lines_of_one_name_are_one_list_in_their_order() -> None:
    headers = [(b"a", b"1"), (b"cookie", b"x=1"), (b"a", b"2"), (b"cookie", b"y=2"), (b"b", b"")]
    assert combined(headers) == {b"a": b"1, 2", b"cookie": b"x=1; y=2", b"b": b""}


def test_a_breach_names_the_header() -> None:
    twice = [(b"host", b"a"), (b"x-api-key", b"1"), (b"x-api-key", b"1")]
    assert breach_of_head(twice, "1.1") == "The header x-api-key must be sent once."
