"""The logo of a vendor within emails: small, beside the name, and nothing that is loaded."""

import io
import os
from email import message_from_bytes
from email.policy import default
from typing import Any
from uuid import UUID

import pytest
from PIL import Image
from testkit import FakeClock

from licet_server.kit.images import Picture, shrink
from licet_server.kit.mail import Attachment, Email, Letter, Logo, Look, letter_of
from licet_server.kit.mail.emails import as_bytes

VENDOR = UUID(int=1)
LOGO = Logo("image/png", b"\x89PNG", 40, 20)


def sent(letter: Letter, logo: Logo | None) -> Any:
    email = Email("ann@example.com", "Your license", letter=letter)
    made = as_bytes(UUID(int=2), "licenses@example.com", email, FakeClock.START, logo)
    return message_from_bytes(made, policy=default)


def types_of(message: Any) -> list[str]:
    return [part.get_content_type() for part in message.walk()]


def test_a_logo_is_related_to_the_html_and_the_text_stays_as_it_is() -> None:
    letter = letter_of(["Hello"], "en", Look("Acme", logo_of=VENDOR))
    message = sent(letter, LOGO)
    assert types_of(message) == [
        "multipart/alternative", "text/plain", "multipart/related", "text/html", "image/png",
    ]  # fmt: skip
    _, text, _, page, picture = message.walk()
    assert text.get_content().split() == ["Hello"]
    assert '<img src="cid:logo@licet" width="40" height="20" alt="">Acme' in page.get_content()
    assert (picture["Content-ID"], picture.get_content()) == ("<logo@licet>", LOGO.content)
    assert picture.get_content_disposition() == "inline"


def test_a_logo_that_is_gone_leaves_the_name() -> None:
    letter = letter_of(["Hello"], "en", Look("Acme", logo_of=VENDOR))
    for message in (sent(letter, None), sent(letter_of(["Hello"], "en", Look("Acme")), LOGO)):
        assert types_of(message) == ["multipart/alternative", "text/plain", "text/html"]
        page = message.get_body(("html",)).get_content()
        assert '<td class="head">Acme</td>' in page


def test_people_cannot_write_the_place_of_a_logo() -> None:
    letter = letter_of(["<!-- logo -->"], "en", Look("<!-- logo -->"))
    assert "<img" not in sent(letter, LOGO).get_body(("html",)).get_content()


def test_a_file_stands_beside_the_letter_with_its_logo() -> None:
    letter = letter_of(["Hello"], "en", Look("Acme", logo_of=VENDOR))
    with_file = Letter(
        letter.text, letter.html, "Acme", None, Attachment("a.csv", "a\n"), letter.logo_of
    )
    assert types_of(sent(with_file, LOGO)) == [
        "multipart/mixed", "multipart/alternative", "text/plain", "multipart/related",
        "text/html", "image/png", "text/csv",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("kind", "size", "shown"),
    [
        ("PNG", (1024, 1024), (40, 40)),
        ("JPEG", (1024, 64), (200, 12)),
        ("WEBP", (30, 16), (30, 16)),
    ],
)
async def test_a_picture_is_shrunk_to_a_png_or_jpeg_of_few_bytes(
    kind: str, size: tuple[int, int], shown: tuple[int, int]
) -> None:
    noise = Image.frombytes("RGB", size, os.urandom(3 * size[0] * size[1]))
    stored = io.BytesIO()
    noise.save(stored, kind)
    small = await shrink(Picture(f"image/{kind.lower()}", stored.getvalue(), "1"), 200, 40, 4_000)
    assert small.media_type == ("image/jpeg" if kind == "JPEG" else "image/png")
    assert (small.width, small.height) == shown
    assert len(small.content) <= 4_000
    with Image.open(io.BytesIO(small.content)) as image:
        assert image.width <= 400
        assert image.height <= 80
