"""Markdown of templates as HTML.

Templates are parsed before values are put in, so that no value becomes a tag, a link or any other
markup. HTML in a template is text; links lead to https, http and mailto only.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from html import escape
from typing import cast
from urllib.parse import quote

from markdown_it import MarkdownIt
from markdown_it.rules_core import StateCore
from markdown_it.token import Token

from licet_server.kit.text import is_mail_link, is_web_link

Values = Mapping[str, str | None]
"""Values by the names of placeholders; `None` is a fact that a license does not have."""

PORTAL, RENEW_URL = "portal", "renewUrl"
_ADDRESSES = (PORTAL, RENEW_URL)
"""The placeholders whose values are web links."""

PLACEHOLDERS: Mapping[str, str] = {
    "customer": "name of the customer, or their email address if no name is known",
    "daysLeft": "days until the license ends; only if it ends",
    "email": "email address that the license is issued to",
    "expirationDate": "day on which the license ends, such as March 1, 2027; only if it ends",
    "graceUntil": "day until which an ended license still works; only then",
    "licenseKey": "license key",
    "licenseName": "name of the license",
    "licenseType": "model of the license, such as Subscription",
    "portal": "address of the page where customers see their licenses, as a link",
    "product": "name of the product",
    "release": "version that the license is for",
    "renewUrl": "address at which the license is renewed, as a link; only if it is known",
    "replyTo": "email address that replies go to; only if the template has one",
    "seats": "number of seats; only for models that count them",
    "termDays": "days that the license lasts from its first use; only until then",
    "termMonths": "months that the license lasts from its first use; only until then",
    "vendor": "name of your institution",
}
"""All placeholders, and what each stands for."""

_NAMED = re.compile(r"\{([A-Za-z][A-Za-z0-9]*)\}")
_GAP = re.compile(r"\n{3,}")


def unknown_in(text: str) -> list[str]:
    """Return the names in braces that are no placeholders, each once, in their order."""
    names = dict.fromkeys(names_in(text))
    return [name for name in names if name not in PLACEHOLDERS]


def list_of_all() -> str:
    """Return all placeholders, as a text names them."""
    return ", ".join(f"{{{name}}}" for name in PLACEHOLDERS)


def filled(text: str, values: Values) -> str:
    """Return the text with values instead of placeholders."""
    return _NAMED.sub(lambda found: _value(found, values), text)


def names_in(text: str) -> list[str]:
    """Return the names in braces, each as often as it is there."""
    return _NAMED.findall(text)


def parts_of(text: str) -> Iterator[tuple[str, str | None]]:
    """Yield the pieces of a text, each followed by the name of a placeholder, or by `None`."""
    pieces = _NAMED.split(text)
    for at in range(0, len(pieces), 2):
        yield pieces[at], pieces[at + 1] if at + 1 < len(pieces) else None


def without_missing(text: str, values: Values) -> str:
    """Return the text without the lines that name a fact that the license does not have."""
    lines = text.split("\n")
    kept = [
        line for line in lines if all(_has_value(name, values) for name in _NAMED.findall(line))
    ]
    return text if len(kept) == len(lines) else _GAP.sub("\n\n", "\n".join(kept))


def _has_value(name: str, values: Values) -> bool:
    return name not in PLACEHOLDERS or bool(values.get(name))


def _value(found: re.Match[str], values: Values) -> str:
    name = found[1]
    return (values.get(name) or "") if name in PLACEHOLDERS else found[0]


PIECES_MAX = 3_000
"""Elements of a text: paragraphs, line breaks, links, three for a cell of a table, and so on."""

MARKS_MAX = 1_000
_MARKS = "![*_`<&"
"""Characters that may begin something, so that the parser looks for its end."""

PLACEHOLDERS_MAX = 200

_OWN_LINK = re.compile(
    rf"\{{(?:{'|'.join(_ADDRESSES)})\}}|mailto:\{{(?:replyTo|email)\}}(?:\?[!-\[\]-~]*)?"
)
"""A link to what the service puts in."""

_MISREAD = re.compile(r"(?:https?|mailto):/{0,9}[^\s/?#<>()]{0,300}\\", re.IGNORECASE)
"""A backslash in a host, which the plain part of an email keeps."""

_OPENING = ("%7B", "{")
_CLOSING = ("%7D", "}")


class _Parser(MarkdownIt):
    """Common Markdown with tables, without HTML; a line break is one in the email, too.

    Every link is parsed as one, to be checked.
    """

    def __init__(self) -> None:
        super().__init__("commonmark", {"html": False, "breaks": True})
        self.enable("table")

    def validateLink(self, url: str) -> bool:  # noqa: N802 - the library's name
        return True

    def normalizeLink(self, url: str) -> str:  # noqa: N802 - the library's name
        if not is_link(url):
            return url  # to be refused as it was written
        normal = super().normalizeLink(url)
        return normal.replace(*_OPENING).replace(*_CLOSING)


class TooMuch(Exception):
    """A text would become too many elements."""


class _Pieces(list[Token]):
    """The elements of a text; all of its lists share one budget."""

    def __init__(self, left: Iterator[object]) -> None:
        super().__init__()
        self.left = left

    def append(self, token: Token, /) -> None:
        if next(self.left, None) is None:
            raise TooMuch
        super().append(token)


def _parse_inline(state: StateCore) -> None:
    """Parse what stands in a line, as the library does, and count its elements."""
    pieces = cast("_Pieces", state.tokens)
    for token in pieces:
        if token.type == "inline":
            token.children = _Pieces(pieces.left)
            state.md.inline.parse(token.content, state.md, state.env, token.children)


_RENDERER = _Parser()
_RENDERER.core.ruler.at("inline", _parse_inline)
_KEPT = 64


@lru_cache(_KEPT)
def _parsed(text: str) -> Sequence[Token]:
    """Return the tokens of a text, which must not be changed; one text makes many emails.

    Raises:
        TooMuch: beyond the bounds of `size_breaches` and `PIECES_MAX`.
    """
    if any(size_breaches(text)):
        raise TooMuch
    state = StateCore(text, _RENDERER, {})
    state.tokens = _Pieces(iter(range(PIECES_MAX)))
    _RENDERER.core.process(state)
    return state.tokens


def size_breaches(text: str) -> Iterator[str]:
    """Yield what makes a text too much work; this takes no time to find out."""
    if sum(map(text.count, _MARKS)) > MARKS_MAX:
        yield f"must have at most {MARKS_MAX:,} of the characters {' '.join(_MARKS)} together."
    if len(names_in(text)) > PLACEHOLDERS_MAX:
        yield f"must have at most {PLACEHOLDERS_MAX} placeholders."


def breaches_of(text: str) -> Iterator[str]:
    """Yield what is wrong with the size, images and links of a template, which takes a moment."""
    try:
        tokens = list(_walk(_parsed(text)))
    except TooMuch:
        yield (
            f"has too many elements: at most {PIECES_MAX:,} are allowed, and a table cell counts "
            "as three. Use smaller tables and lists."
        )
        return
    if any(token.type == "image" for token in tokens):
        yield "must have no images, which many email programs do not load."
    links = (str(token.attrGet("href")) for token in tokens if token.type == "link_open")
    if _MISREAD.search(text) or not all(map(is_link, links)):
        yield (
            "must have links to https, http or mailto only, with placeholders after the host, and "
            "without user names and backslashes."
        )


def is_link(url: str) -> bool:
    """Check whether a template may link there; placeholders may stand after the host only."""
    return _OWN_LINK.fullmatch(url) is not None or is_web_link(url) or is_mail_link(url)


def as_html(text: str, values: Values) -> str:
    """Return a checked Markdown text as HTML, with values instead of placeholders.

    One that was stored before there were bounds, and is beyond them, is shown as it is written.
    """
    try:
        tokens = [_filled(token, values) for token in _parsed(text)]
    except TooMuch:
        return f"<pre>{escape(filled(text, values))}</pre>\n"
    html: str = _RENDERER.renderer.render(tokens, _RENDERER.options, {})
    return html


BUTTON = "button"
"""The class of such a link in the style of `kit.mail.as_page`."""

_ACTION = re.compile(rf"(.{{1,80}}[^\s:]): *\{{({'|'.join(_ADDRESSES)})\}}")
"""A line that says what is at an address: the button of an email."""


def _filled(token: Token, values: Values) -> Token:
    if token.children is None:
        return token.copy(content=filled(token.content, values))
    action = _ACTION.fullmatch(token.content)
    if action is not None and len(token.children) == 1 and values.get(action[2]):
        address = values[action[2]] or ""
        opening = Token("link_open", "a", 1, attrs={"href": address, "class": BUTTON})
        label = _text(filled(action[1], values))
        parts = [opening, label, Token("link_close", "a", -1)]
        return token.copy(children=parts)
    return token.copy(children=list(_filled_inline(token.children, values)))


def _filled_inline(tokens: Sequence[Token], values: Values) -> Iterator[Token]:
    """Yield inline tokens with values; addresses become links, unless in one."""
    depth = 0
    for token in tokens:
        depth += token.nesting if token.tag == "a" else 0
        if token.type == "text" and not depth:
            yield from _filled_text(token.content, values)
        elif token.type != "image":
            attributes = {name: _attribute(name, it, values) for name, it in token.attrs.items()}
            yield token.copy(content=filled(token.content, values), attrs=attributes)


def _filled_text(text: str, values: Values) -> Iterator[Token]:
    for before, name in parts_of(text):
        yield _text(before)
        if name in _ADDRESSES:
            address = values.get(name) or ""
            yield Token("link_open", "a", 1, attrs={"href": address})
            yield _text(address)
            yield Token("link_close", "a", -1)
        elif name is not None:
            yield _text(filled(f"{{{name}}}", values))


def _text(content: str) -> Token:
    return Token("text", "", 0, content=content)


def _attribute(name: str, value: str | float, values: Values) -> str:
    text = str(value)
    if name != "href":
        return filled(text, values)
    return _filled_url(text, values) if is_link(text) else ""


def _filled_url(url: str, values: Values) -> str:
    """Return an address with values, which cannot leave the part of it that they stand in."""
    own = _NAMED.fullmatch(url)
    if own is not None and own[1] in _ADDRESSES:
        return values.get(own[1]) or ""
    quoted = {name: quote(value or "", safe="@") for name, value in values.items()}
    return filled(url, quoted)


def _walk(tokens: Sequence[Token]) -> Iterator[Token]:
    for token in tokens:
        yield token
        yield from _walk(token.children or ())
