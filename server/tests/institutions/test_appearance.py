"""How an institution presents itself: its name, color, words and logo, and who sees them."""

import io
from typing import Any
from uuid import UUID

import httpx
import pytest
from catalog.factories import bad_fields, events_of, refusal
from licenses.factories import issue, make_product
from PIL import Image
from portal.people import make_end_user
from testkit import Owner

from licet_server.institutions.rules.institutions import (
    DARK,
    READABLE,
    WHITE,
    Appearance,
    color_breaches,
    contrast,
    readable,
)
from licet_server.kit.passwords import Passwords
from licet_server.kit.platform import Platform

UNSET: dict[str, object] = {
    "displayName": None,
    "color": None,
    "colorOnDark": None,
    "logoUrl": None,
    "welcome": None,
    "welcomeTranslations": {},
    "supportEmail": None,
    "supportUrl": None,
    "renewalUrl": None,
}
ALL = {
    "displayName": "Studio",
    "color": "#1A56DB",
    "welcome": "Welcome.\nYour licenses are here.",
    "supportEmail": "help@studio.example",
    "supportUrl": "https://studio.example/help",
    "renewalUrl": "https://studio.example/renew/{licenseKey}?from=portal",
}


def path_of(owner: Owner, part: str = "appearance") -> str:
    return f"/api/institutions/{owner.institution_id}/{part}"


def picture(kind: str = "PNG", size: tuple[int, int] = (60, 40)) -> bytes:
    target = io.BytesIO()
    Image.new("RGB", size, (200, 10, 10)).save(target, kind)
    return target.getvalue()


async def put_logo(owner: Owner, content: bytes, kind: str = "image/png") -> httpx.Response:
    path = path_of(owner, "logo")
    return await owner.send("PUT", path, content=content, headers={"content-type": kind})


def test_the_contrast_is_that_of_the_guidelines() -> None:
    assert contrast("#000000", "#ffffff") == pytest.approx(21)
    assert contrast("#777777", "#FFFFFF") == pytest.approx(4.48, abs=0.01)
    assert contrast("#767676", "#ffffff") == pytest.approx(4.54, abs=0.01)
    assert contrast("#123456", "#123456") == 1


@pytest.mark.specification("find.appearance")
@pytest.mark.parametrize("color", ["#ffffff", "#ffcc00", "#00ffff", "#777777", "#ff0000"])
def test_unreadable_color_is_refused_with_the_nearest_readable_one(color: str) -> None:
    [breach] = color_breaches(color)
    nearest = breach.message.removesuffix(".").rpartition(" ")[2]
    assert contrast(nearest, WHITE) >= READABLE
    assert color_breaches(nearest) == []


def test_refusal_of_a_color_never_rounds_its_contrast_up() -> None:
    [breach] = color_breaches("#008580")  # 4.49995
    assert "has a contrast of 4.4 with white, and text needs 4.5." in breach.message


@pytest.mark.parametrize("color", ["#000000", "#1a56db", "#b00020", "#006400", "#767676"])
def test_a_readable_color_is_lightened_for_dark_pages(color: str) -> None:
    assert color_breaches(color) == []
    assert contrast(readable(color, DARK, WHITE), DARK) >= READABLE


async def test_an_appearance_is_set_and_cleared(owner: Owner, platform: Platform) -> None:
    unset = {"institutionId": owner.institution_id, **UNSET}
    assert await owner.ok("GET", path_of(owner)) == unset
    changed = await owner.ok("PUT", path_of(owner), ALL)
    color = {"color": "#1a56db", "colorOnDark": changed["colorOnDark"]}
    assert changed == {**unset, **ALL, **color}
    assert await owner.ok("GET", path_of(owner)) == changed
    assert await owner.ok("PUT", path_of(owner), {"welcome": ""}) == {**changed, "welcome": None}
    assert await owner.ok("PUT", path_of(owner), dict.fromkeys(ALL)) == unset
    *_, first, _, _ = await events_of(platform, owner.institution_id)
    assert first["kind"] == "institution.settings_changed"
    assert first["changes"]["color"] == [None, "#1a56db"]


async def test_a_welcome_is_translated_language_by_language(owner: Owner) -> None:
    async def after(**translations: str | None) -> Any:
        body = {"welcome": "Hello", "welcomeTranslations": translations}
        return (await owner.ok("PUT", path_of(owner), body))["welcomeTranslations"]

    assert await after(de="Hallo", fr="Bonjour") == {"de": "Hallo", "fr": "Bonjour"}
    assert await after(DE_at="Servus") == {"de": "Hallo", "de-AT": "Servus", "fr": "Bonjour"}
    assert await after(fr=None, de="") == {"de-AT": "Servus"}
    assert await after() == {"de-AT": "Servus"}
    assert (await owner.ok("PUT", path_of(owner), {"color": None}))["welcome"] == "Hello"
    many = {f"x{one}{two}": "Hi" for one in "abcd" for two in "abcde"}
    refused = await owner.send("PUT", path_of(owner), {"welcomeTranslations": many})
    assert bad_fields(refused) == ["welcomeTranslations"]


@pytest.mark.parametrize(
    ("locale", "text"),
    [("de", "Hallo"), ("de-CH", "Hallo"), ("de-AT", "Servus"), ("en", "Hello"), (None, "Hello")],
)
def test_reader_is_welcomed_in_their_language(locale: str | None, text: str) -> None:
    shown = Appearance(
        institution_id=UUID(int=1),
        welcome="Hello",
        welcome_translations={"de": "Hallo", "de-AT": "Servus"},
    )
    assert shown.welcome_for(locale) == text


async def test_bad_appearances_are_refused(owner: Owner) -> None:
    for body, field in (
        ({"color": "red"}, "color"),
        ({"color": "#fff"}, "color"),
        ({"color": "#ffcc00"}, "color"),
        ({"color": "url(x)"}, "color"),
        ({"displayName": " "}, "displayName"),
        ({"welcome": "x" * 1001}, "welcome"),
        ({"welcomeTranslations": {"de": "x" * 1001}}, "welcomeTranslations"),
        ({"welcomeTranslations": {"german!": "Hallo"}}, "welcomeTranslations.german!"),
        ({"welcomeTranslations": {"de": "Hallo", "DE": "Moin"}}, "welcomeTranslations.DE"),
        ({"supportEmail": "nobody"}, "supportEmail"),
        ({"supportUrl": "javascript:alert(1)"}, "supportUrl"),
        ({"supportUrl": "https://"}, "supportUrl"),
        ({"renewalUrl": "http://studio.example/renew"}, "renewalUrl"),
        ({"renewalUrl": "https://{licenseKey}.example/"}, "renewalUrl"),
        ({"renewalUrl": "https://studio.example/?to={email}"}, "renewalUrl"),
        ({"logoUrl": "https://elsewhere.example/logo.png"}, "logoUrl"),
    ):
        assert bad_fields(await owner.send("PUT", path_of(owner), body)) == [field], body


@pytest.mark.specification("find.appearance")
@pytest.mark.parametrize("kind", ["PNG", "JPEG", "WEBP"])
async def test_a_logo_is_reencoded_and_served_to_anyone(
    owner: Owner, client: httpx.AsyncClient, kind: str
) -> None:
    media_type = f"image/{kind.lower()}"
    answer = await put_logo(owner, picture(kind, (3000, 1500)), media_type)
    assert answer.status_code == 200, answer.text
    url = answer.json()["logoUrl"]
    assert url.startswith(f"{path_of(owner, 'logo')}?v=")
    shown = await client.get(url)
    assert Image.open(io.BytesIO(shown.content)).size == (1024, 512)
    assert shown.headers["content-type"] == media_type
    assert shown.headers["x-content-type-options"] == "nosniff"
    assert "default-src 'none'" in shown.headers["content-security-policy"]
    assert "immutable" in shown.headers["cache-control"]
    again = await client.get(url, headers={"if-none-match": shown.headers["etag"]})
    assert (again.status_code, again.content) == (304, b"")
    # The words keep their logo, and the logo its words.
    assert (await owner.ok("PUT", path_of(owner), {"welcome": "Hello"}))["logoUrl"] == url
    await owner.ok("DELETE", path_of(owner, "logo"))
    assert (await client.get(url)).status_code == 404
    left = await owner.ok("GET", path_of(owner))
    assert (left["logoUrl"], left["welcome"]) == (None, "Hello")


async def test_bad_logos_are_refused(owner: Owner) -> None:
    svg = b'<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'
    assert refusal(await put_logo(owner, svg, "image/svg+xml")) == (415, "UnsupportedMediaType")
    assert bad_fields(await put_logo(owner, svg)) == ["logo"]
    assert bad_fields(await put_logo(owner, picture()[:60])) == ["logo"]
    large = await put_logo(owner, b"\x89PNG" + bytes(2 * 1024 * 1024))
    assert refusal(large) == (413, "PayloadTooLarge")


@pytest.mark.specification("find.appearance")
async def test_end_users_see_the_vendors_of_their_licenses(
    owner: Owner,
    stranger: Owner,
    platform: Platform,
    client: httpx.AsyncClient,
    fast_passwords: Passwords,
) -> None:
    user = await make_end_user(platform, client, fast_passwords)
    assert await user.ok("GET", "/api/portal/vendors") == {"vendors": []}
    for vendor in (owner, stranger):
        product = await make_product(vendor)
        await issue(vendor, product, issuedTo=user.email)
        await issue(vendor, product, issuedTo=user.email)
    shown = await owner.ok("PUT", path_of(owner), {**ALL, "displayName": "Aardvark"})
    first, second = (await user.ok("GET", "/api/portal/vendors"))["vendors"]
    assert first == shown
    name = f"Institution of {stranger.email}"
    assert second == {**UNSET, "institutionId": stranger.institution_id, "displayName": name}


async def test_anyone_sees_a_vendor_with_an_appearance(
    owner: Owner, client: httpx.AsyncClient
) -> None:
    path = f"/api/portal/vendors/{owner.institution_id}"
    assert refusal(await client.get(path)) == (404, "NotFound")
    await owner.ok("PUT", path_of(owner), {"color": "#1a56db"})
    shown: dict[str, Any] = (await client.get(path)).json()
    assert shown["color"] == "#1a56db"
    assert shown["displayName"] == f"Institution of {owner.email}"
    await owner.ok("PUT", path_of(owner), {"color": None})
    assert refusal(await client.get(path)) == (404, "NotFound")
