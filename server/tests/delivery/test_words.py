"""Templates become emails in which no value is markup, and nothing unknown is let in."""

import re
from dataclasses import replace
from html.parser import HTMLParser

import pytest
from hypothesis import given
from hypothesis import strategies as st

from licet_server.delivery.rules.markdown import PLACEHOLDERS, as_html
from licet_server.delivery.rules.templates import (
    BODY_MAX,
    BUILT_IN,
    EffectiveTemplate,
    MailKind,
    Surroundings,
    TemplateSource,
    Translation,
    compose,
    effective,
    example_values,
    markdown_breaches,
    sender_breaches,
    translation_breaches,
)

PORTAL = "https://licenses.example/portal"
AROUND = Surroundings(product="Aurora", release="2.1.0", vendor="Northwind", portal=PORTAL)
VALUES = example_values(AROUND)
EVERYWHERE = """\
# {customer}

**{customer}** `{customer}` [{customer}](https://shop.example/renew?by={customer} "{customer}")

- {customer}

> {customer}

| a |
|---|
| {customer} |

```
{customer}
```
"""
EVIL = [
    "<script>alert(1)</script>",
    "[click](https://evil.example)",
    "![x](https://evil.example/pixel.png)",
    "<https://evil.example>",
    '" onmouseover="alert(1)',
    "**bold** `code` # title",
    "| cell |",
    "&lt;b&gt; &amp; \\*",
    "```",
]


class Tags(HTMLParser):
    """The tags of a page with their attributes."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.found: list[tuple[str, list[tuple[str, str | None]]]] = []
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, attrs))

    @property
    def names(self) -> list[str]:
        return [name for name, _ in self.found]


def template(body: str, subject: str = "Subject") -> EffectiveTemplate:
    return EffectiveTemplate(
        automatic=False,
        sender_name=None,
        reply_to=None,
        default_locale="en",
        translations={"en": Translation(subject, body)},
        source=TemplateSource.PRODUCT,
    )


def breaches(subject: str, body: str) -> dict[str, str]:
    words = Translation(subject, body)
    found = [*translation_breaches("t", words), *markdown_breaches("t", words)]
    return {item.field: item.message for item in found}


@pytest.mark.parametrize("name", EVIL)
def test_a_name_is_never_markup(name: str) -> None:
    plain = Tags(as_html(EVERYWHERE, {**VALUES, "customer": "Jane"}))
    found = Tags(as_html(EVERYWHERE, {**VALUES, "customer": name}))
    assert found.names == plain.names
    [link] = [dict(attrs)["href"] for tag, attrs in found.found if tag == "a"]
    assert str(link).startswith("https://shop.example/renew?by=")
    assert "evil.example/" not in str(link)


@given(st.text(max_size=80))
def test_no_text_at_all_is_markup(name: str) -> None:
    plain = Tags(as_html(EVERYWHERE, {**VALUES, "customer": "Jane"}))
    assert Tags(as_html(EVERYWHERE, {**VALUES, "customer": name})).names == plain.names


@pytest.mark.parametrize(
    "body", ["<script>alert(1)</script>", "<b onclick='x()'>b</b>", "<!-- -->"]
)
def test_html_of_a_template_is_text(body: str) -> None:
    assert Tags(as_html(body, VALUES)).names == ["p"]


def test_the_portal_is_a_link_wherever_it_stands() -> None:
    html = as_html("{portal} [here]({portal}) <{portal}> `{portal}`", VALUES)
    assert html.count(f'href="{PORTAL}"') == 3
    assert f"<code>{PORTAL}</code>" in html


def test_a_line_that_says_what_is_at_an_address_is_a_button() -> None:
    assert f'<a href="{PORTAL}" class="button">See it</a>' in as_html("See it: {portal}", VALUES)
    for other in ("See it at {portal}.", "See *it*: {portal}", "See it: {product}"):
        assert "button" not in as_html(other, VALUES), other
    assert "button" not in as_html("Renew: {renewUrl}", {**VALUES, "renewUrl": None})


@pytest.mark.parametrize(
    ("locale", "said"), [("en", "March 1, 2027"), ("de", "1. März 2027"), ("fr", "2027-03-01")]
)
def test_a_day_is_said_in_the_language_of_the_email(locale: str, said: str) -> None:
    words = Translation("{product}", "{expirationDate}")
    template = replace(effective(MailKind.ISSUED, None, None), translations={locale: words})
    composed = compose(template, VALUES, locale)
    assert (composed.text, composed.html) == (f"{said}\n", f"<p>{said}</p>\n")


def test_the_address_of_a_renewal_is_a_link_where_the_license_has_one() -> None:
    built_in = effective(MailKind.EXPIRING, None, None)
    assert 'href="https://example.com/renew"' in compose(built_in, VALUES, None).html
    assert breaches("s", "[Renew]({renewUrl}) {renewUrl}") == {}
    without = {**VALUES, "renewUrl": None}
    assert "Renew" not in compose(built_in, without, None).text


def test_an_unknown_placeholder_is_named_with_a_list_of_all() -> None:
    found = breaches("Hi {customr}", "{licenceKey} and {product}")
    assert "{customr}" in found["t.subject"]
    assert "{licenceKey}" in found["t.body"]
    for name in PLACEHOLDERS:
        assert f"{{{name}}}" in found["t.body"]


@pytest.mark.parametrize("text", ['{"a": 1}', "{ product }", "{}", "{{", "f(x) { return; }", "{1}"])
def test_other_braces_are_text(text: str) -> None:
    assert breaches(text, f"`{text}`") == {}
    assert text in compose(template(f"`{text}`"), VALUES, None).text


@pytest.mark.parametrize(
    "url",
    [
        "javascript:alert(1)",
        "data:text/html,x",
        "file:///etc/passwd",
        "/relative",
        "https://{customer}/",
        "https://shop.{product}.example/",
        "https:",
        "//host/path",
        "{licenseKey}",
        "https://shop.example/{secret}",
    ],
)
def test_links_that_lead_elsewhere_are_refused(url: str) -> None:
    assert set(breaches("s", f"[x]({url})")) == {"t.body"}
    assert set(breaches("s", f"[x][1]\n\n[1]: {url}")) == {"t.body"}


@pytest.mark.parametrize(
    "url", ["https://shop.example/{licenseKey}?c={customer}", "mailto:a@example.com", "{portal}"]
)
def test_valid_links_are_accepted(url: str) -> None:
    assert breaches("s", f"[x]({url})") == {}


def test_images_are_refused() -> None:
    assert "images" in breaches("s", "![logo](https://shop.example/logo.png)")["t.body"]


@pytest.mark.parametrize(
    "subject",
    ["", "  ", "x" * 201, "a\r\nBcc: b@example.com", "a\x07", "a\u2028b", "=?utf-8?q?=0aBcc:x?="],
)
def test_a_subject_is_one_line(subject: str) -> None:
    assert set(breaches(subject, "body")) == {"t.subject"}


@pytest.mark.parametrize("body", ["", " \n ", "x" * (BODY_MAX + 1)])
def test_body_size_is_limited(body: str) -> None:
    assert set(breaches("s", body)) == {"t.body"}


@pytest.mark.parametrize(
    "name", ["a@b.example", "A <b>", 'A "B"', "A\r\nBcc: x", "", "x" * 101, "\\", "=?utf-8?q?a?="]
)
def test_invalid_sender_names_are_rejected(name: str) -> None:
    assert [item.field for item in sender_breaches(name, None)] == ["senderName"]


@pytest.mark.parametrize(
    "address", ["nobody", "a@example.com\r\nBcc: b@example.com", "a b@c.example"]
)
def test_invalid_reply_addresses_are_rejected(address: str) -> None:
    assert [item.field for item in sender_breaches(None, address)] == ["replyTo"]


def test_lines_without_a_value_are_left_out() -> None:
    body = "Hello {customer},\n\n- Seats: {seats}\n- Until: {expirationDate}\n\n{termDays}\n\nBye."
    composed = compose(template(body), {**VALUES, "expirationDate": None}, None)
    assert composed.text == "Hello Jane Doe,\n\n- Seats: 5\n\nBye.\n"
    assert "Until" not in composed.html


def test_subject_with_values_is_one_line_and_cut() -> None:
    values = {**VALUES, "product": "A" * 400}
    assert len(compose(template("b", "{product}"), values, None).subject) == 250


@pytest.mark.parametrize("kind", MailKind)
def test_built_in_templates_are_valid(kind: MailKind) -> None:
    english = BUILT_IN[kind]["en"]
    for translation in BUILT_IN[kind].values():
        assert breaches(translation.subject, translation.body) == {}
        assert re.findall(r"\{\w+\}", translation.body) == re.findall(r"\{\w+\}", english.body)


@pytest.mark.parametrize(("wanted", "locale"), [("de-AT", "de"), ("fr", "en"), (None, "en")])
@pytest.mark.parametrize("kind", MailKind)
def test_built_in_templates_are_in_the_language_of_the_reader(
    kind: MailKind, wanted: str | None, locale: str
) -> None:
    composed = compose(effective(kind, None, None), VALUES, wanted)
    assert (composed.locale, composed.sender_name) == (locale, "Northwind")
    for part in (composed.subject, composed.text, composed.html):
        assert re.search(r"\{\w+\}", part) is None
    assert str(VALUES["licenseKey"]) in composed.text
