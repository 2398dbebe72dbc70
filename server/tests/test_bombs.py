"""What people write is read with a bound: every parser, with texts made to be slow or to grow.

Counts, not times: a clock proves nothing on a busy machine. `drills/bombs.py` measures times.
"""

import asyncio
import io
import struct
import threading
import zlib
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from decimal import Decimal
from types import SimpleNamespace
from typing import Any
from uuid import UUID

import msgspec
import pytest
from PIL import Image

from licet_server.as_code import yaml_text
from licet_server.as_code.yaml_text import NotReadable, read_yaml
from licet_server.catalog.rules.releases import compared
from licet_server.connectors.rules.facts import UnreadableEvent
from licet_server.connectors.rules.model import ConnectorKind
from licet_server.connectors.rules.providers import received_event
from licet_server.delivery.rules import markdown
from licet_server.delivery.rules.markdown import PLACEHOLDERS
from licet_server.delivery.rules.templates import (
    Translation,
    markdown_breaches,
    translation_breaches,
)
from licet_server.delivery.service import templates
from licet_server.kit import images
from licet_server.kit.errors import MAX_FIELD_ERRORS, ErrorCode, Refused
from licet_server.kit.json_values import VALUES_MAX
from licet_server.kit.threads import Threads
from licet_server.kit.web.body import Body, ExactValue, RuntimeBody, read_body
from licet_server.kit.web.validation_messages import field_error as _field_error
from licet_server.licenses.rules.policies import pattern_breaches

SIZE = 10_000


def filled(unit: str) -> str:
    return (unit * (SIZE // len(unit) + 1))[:SIZE]


MARKDOWN = {
    "a table filled up": "|a" * 1_200 + "\n" + "|-" * 1_200 + "\n" + "a\n" * 2_590,
    "a table of 20 columns": "|a" * 20 + "\n" + "|-" * 20 + "\n" + "a\n" * 4_900,
    "a table in a quote": "> " + "|a" * 20 + "\n> " + "|-" * 20 + "\n" + "> a\n" * 2_400,
    "a table of links": "|a|b|\n|-|-|\n" + "|[a](b)|[a](b)\n" * 600,
    **{unit: filled(unit) for unit in (
        "|a|b|\n|-|-|\n\n", "a|b\n-|-\n", ":-|\n", "|\n", "[", "![", "[](", "[a](b)", "[a][", "*",
        "*_", "**a *b ", "_a__b", "`a ``b ", "<", "<http:a", "<!-- a", "&amp;", "> ", "> > > a\n",
        "> a\nb\n",
        "- ", "- a\n", "1. a\n", "> - ", "# a\n", "a\n-\n", "a\n", "a  \n", "```\n", "    a\n\n",
        "[a]: /u\n", "{portal}", "{customer}", "{", "\\*", "---\n", "\t- ",
    )},
    "nested links": "[" * 5_000 + "]" * 5_000,
    "nested parentheses": "[a](" + "(" * 4_000 + ")" * 4_000 + ")",
    "nested lists": "".join(" " * (2 * at) + "- a\n" for at in range(95)),
}  # fmt: skip
LONG_VALUES = dict.fromkeys(PLACEHOLDERS, "x" * 250)
HTML_MAX = 300_000


def pieces(tokens: Any) -> int:
    return sum(1 + pieces(token.children or ()) for token in tokens)


@pytest.mark.parametrize("body", MARKDOWN.values(), ids=range(len(MARKDOWN)))
def test_markdown_becomes_a_bounded_number_of_elements(body: str) -> None:
    words = Translation("s", body)
    found = [*translation_breaches("t", words), *markdown_breaches("t", words)]
    assert all("at most" in item.message or "links" in item.message or "images" in item.message
               for item in found)  # fmt: skip
    assert len(markdown.as_html(body, LONG_VALUES)) < HTML_MAX or "must have at most 200" in str(
        found
    )
    if not any("at most" in item.message for item in found):
        assert pieces(markdown._parsed(body)) <= 2 * markdown.PIECES_MAX


def test_a_table_as_large_as_allowed_is_taken() -> None:
    rows = "|a" * 20 + "\n" + "|-" * 20 + "\n" + "a\n" * 40
    assert list(markdown_breaches("t", Translation("s", rows))) == []
    [breach] = markdown_breaches("t", Translation("s", rows + "a\n" * 20))
    assert "at most 3,000" in breach.message
    assert "smaller tables" in breach.message


def test_the_parser_stops_when_there_is_too_much(monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[int] = []
    append = markdown._Pieces.append

    def counted(self: Any, token: Any) -> None:
        made.append(1)
        append(self, token)

    monkeypatch.setattr(markdown._Pieces, "append", counted)
    markdown._parsed.cache_clear()
    with pytest.raises(markdown.TooMuch):
        markdown._parsed(MARKDOWN["a table filled up"])
    assert len(made) == markdown.PIECES_MAX + 1


def test_what_was_stored_before_there_were_bounds_is_mailed_as_it_is_written() -> None:
    html = markdown.as_html(MARKDOWN["a table filled up"], {})
    assert html.startswith("<pre>|a|a")
    assert len(html) < 2 * SIZE
    assert markdown.as_html("[" * 2_000 + "<b>{customer}", {"customer": "<i>"}).endswith(
        "&lt;b&gt;&lt;i&gt;</pre>\n"
    )


async def test_markdown_is_read_in_a_thread_and_few_wait(monkeypatch: pytest.MonkeyPatch) -> None:
    main, seen, free = threading.get_ident(), set[int](), threading.Event()

    def slow(*arguments: Any) -> list[Any]:
        seen.add(threading.get_ident())
        free.wait(60)
        return []

    monkeypatch.setattr(templates, "_breaches", slow)
    monkeypatch.setattr(templates, "_of_users", Threads("tried", max_waiting=29))
    asked = [asyncio.create_task(templates.require_readable({})) for _ in range(31)]
    refused = await asyncio.gather(asked[-1], return_exceptions=True)
    free.set()
    await asyncio.gather(*asked[:-1])
    assert isinstance(refused[0], Refused)
    assert refused[0].code is ErrorCode.UNAVAILABLE
    assert len(seen) == 1
    assert main not in seen


MEGABYTE = 900_000
YAML = [
    "[" * MEGABYTE, "{" * MEGABYTE, "- " * 400_000, "? " * 3_000, "a: " * 9_000, "[a, " * 9_000,
    "&a [*a]", "!" * 99_999, "---\n" * 9_000, "%YAML 1.1\n" * 9_000,
    "#" * 1_000_001, 'a: "\\ud800"', 'a: "\\U00110000"', 'a: "\\UFFFFFFFF"', '"\\uDFFF": 1',
    "a: \ud800", "\t" * 9_000, ":" * 9_000,
]  # fmt: skip


@pytest.mark.parametrize("text", YAML, ids=range(len(YAML)))
def test_yaml_is_refused_with_a_sentence(text: str) -> None:
    with pytest.raises(NotReadable) as caught:
        read_yaml(text)
    assert caught.value.problem.message.endswith((".", ")"))


@pytest.mark.parametrize("number", ["9" * 5_000, "1." + "9" * 5_000, "1e999999999"])
def test_yaml_numbers_beyond_all_fields_are_texts(number: str) -> None:
    assert read_yaml(f"a: {number}")[0] == {"a": number}
    assert yaml_text.MAX_BYTES == 1_000_000


class Item(Body):
    """One of many."""

    a: str = ""


class Written(Body):
    """A body with fields of the kinds that people fill."""

    a: str = ""
    n: int = 0
    d: Decimal | None = None
    v: dict[str, ExactValue] | None = None
    items: list[Item] | None = None


class Noted(RuntimeBody):
    a: str = ""


def joined(item: str, count: int) -> bytes:
    return ",".join(item.replace("#", str(at)) for at in range(count)).encode()


JSON: Mapping[str, bytes] = {
    "deep lists": b"[" * MEGABYTE,
    "deep objects": b'{"a":' * 180_000,
    "deep and closed": b'{"v":' + b"[" * 5_000 + b"]" * 5_000 + b"}",
    "digits": b'{"n":' + b"9" * MEGABYTE + b"}",
    "digits of a value": b'{"v":{"x":' + b"9" * MEGABYTE + b"}}",
    "unknown fields": b"{" + joined('"#":1', 80_000) + b"}",
    "wrong values": b'{"v":{' + joined('"#":[]', 80_000) + b"}}",
    "wrong items": b'{"items":[' + joined("1", 200_000) + b"]}",
    "unknown fields of items": b'{"items":[' + joined('{"#":1}', 80_000) + b"]}",
    "NULs": b'{"v":{' + joined('"#\\u0000":"\\u0000"', 30_000) + b"}}",
    "half a character": b'{"a":"\\ud800"}',
    "backslashes": b'{"a":"' + b"\\" * MEGABYTE,
}


@pytest.mark.parametrize("name", JSON)
def test_json_is_refused_with_few_words(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    described: list[str] = []

    def counted(path: str, *rest: Any) -> Any:
        described.append(path)
        return _field_error(path, *rest)

    monkeypatch.setattr("licet_server.kit.web.body.field_error", counted)
    with pytest.raises(Refused) as caught:
        read_body(JSON[name], Written, lambda: datetime(2030, 1, 1, tzinfo=UTC))
    assert len(caught.value.errors) <= MAX_FIELD_ERRORS + 1
    assert len(described) <= 2_000


MANY = {
    "empty lists": b'{"v":[' + b"[]," * 100_000 + b"1]}",
    "empty objects": b'{"v":[' + b"{}," * 100_000 + b"1]}",
    "lists in lists": b"[" + b"[[[[[]]]]]," * 30_000 + b"1]",
    "numbers": b'{"v":[' + b"1," * VALUES_MAX + b"1]}",
    "fields": b"{" + joined('"#":1', 80_000) + b"}",
}


@pytest.mark.parametrize("name", MANY)
def test_json_of_many_values_is_refused_before_anything_is_made_of_it(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    decoded: list[bytes] = []
    monkeypatch.setattr("msgspec.json.decode", lambda raw, **_: decoded.append(raw))
    monkeypatch.setattr(
        "licet_server.kit.web.body._decoder", SimpleNamespace(decode=decoded.append)
    )
    for kind in (Written, Noted):
        with pytest.raises(Refused) as caught:
            read_body(MANY[name], kind, lambda: datetime(2030, 1, 1, tzinfo=UTC))
        assert "at most 20,000 values" in caught.value.detail
    with pytest.raises(UnreadableEvent):
        received_event(ConnectorKind.STRIPE, {}, MANY[name])
    assert decoded == []


def test_long_texts_and_bulks_of_ids_have_few_values() -> None:
    now = datetime(2030, 1, 1, tzinfo=UTC)
    ids = {"v": {str(at): str(UUID(int=at)) for at in range(1_000)}}
    for value in ({"a": "one, two; " * 15_000}, {"a": "x" * MEGABYTE}, ids):
        raw = msgspec.json.encode(value)
        assert read_body(raw, Written, lambda: now) == msgspec.convert(value, Written)


def _chunk(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def _png(side: int) -> bytes:
    head = struct.pack(">IIBBBBB", side, side, 8, 2, 0, 0, 0)
    rows = zlib.compress(b"\0" * 1_000)
    return (
        b"\x89PNG\r\n\x1a\n" + _chunk(b"IHDR", head) + _chunk(b"IDAT", rows) + _chunk(b"IEND", b"")
    )


def _saved(kind: str, **options: Any) -> bytes:
    target = io.BytesIO()
    Image.new("RGB", (64, 64)).save(target, kind, **options)
    return target.getvalue()


IMAGES: Mapping[str, Callable[[], bytes]] = {
    "pixels": lambda: _png(5_001),
    "many pixels": lambda: _png(60_000),
    "scans": lambda: _saved("JPEG", progressive=True).replace(b"\xff\xd9", b"\xff\xda" * 200),
    "SVG": lambda: b'<svg xmlns="http://www.w3.org/2000/svg"><use href="#a"/></svg>',
    "GIF": lambda: _saved("GIF"),
    "XML": lambda: b'<!DOCTYPE a [<!ENTITY a "aaaa">]><a>&a;</a>',
    "nothing": lambda: b"",
    "zeros": lambda: bytes(2_000_000),
}


@pytest.mark.parametrize("name", IMAGES)
async def test_images_are_refused_before_they_are_drawn(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    drawn: list[str] = []
    monkeypatch.setattr(images, "_encoded", lambda *_: drawn.append(name))
    with pytest.raises(Refused) as caught:
        await images.reencode("logo", IMAGES[name]())
    assert [item.field for item in caught.value.errors] == ["logo"]
    assert drawn == []


async def test_one_frame_of_an_animation_is_kept() -> None:
    frames = [Image.new("RGB", (64, 64), (at, 0, 0)) for at in range(30)]
    for kind in ("WEBP", "PNG"):
        target = io.BytesIO()
        frames[0].save(target, kind, save_all=True, append_images=frames[1:])
        picture = await images.reencode("logo", target.getvalue())
        assert getattr(Image.open(io.BytesIO(picture.content)), "n_frames", 1) == 1


@pytest.mark.parametrize(
    "pattern", ["{" * 200, "{policy!r:>999999999}", "{policy:{policy}}", "{0.__class__}", "{a[0]}"]
)
def test_a_pattern_of_names_only_puts_in_names(pattern: str) -> None:
    assert pattern == "{" * 200 or list(pattern_breaches(pattern))


@pytest.mark.parametrize("version", ["9" * 5_000 + ".0.0", "1.0.0-" + "0" * 9_000, "1" * 9_000])
def test_a_version_of_many_digits_is_compared(version: str) -> None:
    assert compared(version, version) == 0
