"""Images of products: made anew when they come, served to anybody."""

import hashlib
import io
import struct
import uuid
import zlib
from collections.abc import Callable
from typing import Any

import httpx
import pytest
from catalog.factories import bad_fields, refusal
from PIL import Image, ImageCms
from PIL.PngImagePlugin import PngInfo
from testkit import Owner
from world import World

from licet_server.identity.rules.memberships import Role

SECRET = "taken at home"
PROFILE = ImageCms.ImageCmsProfile(ImageCms.createProfile("sRGB")).tobytes()


def picture(kind: str = "PNG", size: tuple[int, int] = (60, 40), mode: str = "RGB") -> bytes:
    """An image file with metadata in it."""
    image = Image.new(mode, size, (200, 10, 10, 128)[: len(mode)])
    exif = Image.Exif()
    exif[0x010E] = SECRET
    target = io.BytesIO()
    more: dict[str, Any] = {"exif": exif, "icc_profile": PROFILE}
    if kind == "PNG":
        info = PngInfo()
        info.add_text("Comment", SECRET)
        more["pnginfo"] = info
    image.save(target, kind, **more)
    assert SECRET.encode() in target.getvalue()
    return target.getvalue()


async def put(
    owner: Owner, product: dict[str, Any], content: bytes, kind: str = "image/png"
) -> httpx.Response:
    path = f"/api/products/{product['id']}/image"
    return await owner.send("PUT", path, content=content, headers={"content-type": kind})


@pytest.mark.specification("products.image")
@pytest.mark.parametrize("kind", ["PNG", "JPEG", "WEBP"])
async def test_an_image_is_reencoded_and_served_to_anyone(
    world: World, client: httpx.AsyncClient, kind: str
) -> None:
    media_type = f"image/{kind.lower()}"
    answer = await put(world.owner, world.product, picture(kind, (3000, 1500)), media_type)
    assert answer.status_code == 200, answer.text
    url = answer.json()["imageUrl"]
    assert url.startswith(f"/api/products/{world.product['id']}/image?v=")
    assert (await world.owner.ok("GET", f"/api/products/{world.product['id']}"))["imageUrl"] == url
    shown = await client.get(url)
    assert shown.headers["content-type"] == media_type
    assert "immutable" in shown.headers["cache-control"]
    assert SECRET.encode() not in shown.content
    image = Image.open(io.BytesIO(shown.content))
    assert (image.format, image.size) == (kind, (1024, 512))
    assert not {"exif", "icc_profile", "Comment"} & image.info.keys()
    again = await client.get(url, headers={"if-none-match": shown.headers["etag"]})
    assert (again.status_code, again.content) == (304, b"")
    plain = await client.get(url.partition("?")[0])
    assert (plain.status_code, plain.headers["cache-control"]) == (200, "public, no-cache")


async def test_an_image_url_changes_and_the_image_is_deleted(
    world: World, client: httpx.AsyncClient
) -> None:
    path = f"/api/products/{world.product['id']}"
    assert world.product["imageUrl"] is None
    first = (await put(world.owner, world.product, picture())).json()["imageUrl"]
    second = (await put(world.owner, world.product, picture(size=(10, 10)))).json()["imageUrl"]
    assert first != second
    assert (await put(world.owner, world.product, picture(size=(10, 10)))).json()[
        "imageUrl"
    ] == second
    assert (await world.owner.send("DELETE", f"{path}/image")).status_code == 204
    assert (await world.owner.send("DELETE", f"{path}/image")).status_code == 204
    assert (await world.owner.ok("GET", path))["imageUrl"] is None
    without = await client.get(second)
    unknown = await client.get(f"/api/products/{uuid.UUID(int=1)}/image")
    assert refusal(without) == refusal(unknown) == (404, "NotFound")
    assert without.json()["detail"] == unknown.json()["detail"]
    kinds = [event["kind"] for event in await world.events_of(world.product["id"])]
    assert kinds.count("product.updated") == 3


async def test_transparency_is_kept_and_animations_become_still(
    world: World, client: httpx.AsyncClient
) -> None:
    url = (await put(world.owner, world.product, picture(mode="RGBA"))).json()["imageUrl"]
    image = Image.open(io.BytesIO((await client.get(url)).content))
    assert image.mode == "RGBA"
    frames = [Image.new("RGB", (20, 20), color) for color in ("red", "blue")]
    target = io.BytesIO()
    frames[0].save(target, "WEBP", save_all=True, append_images=frames[1:], lossless=True)
    answer = await put(world.owner, world.product, target.getvalue(), "image/webp")
    still: Any = Image.open(io.BytesIO((await client.get(answer.json()["imageUrl"])).content))
    assert still.n_frames == 1
    red, _, blue = still.convert("RGB").getpixel((10, 10))
    assert red > 200 > blue


def bomb(side: int) -> bytes:
    """A few bytes that claim to be an image of `side` by `side` pixels."""

    def chunk(kind: bytes, data: bytes) -> bytes:
        return (
            struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
        )

    header = struct.pack(">IIBBBBB", side, side, 8, 2, 0, 0, 0)
    body = zlib.compress(bytes(10_000))
    return (
        b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", body) + chunk(b"IEND", b"")
    )


GIF = io.BytesIO()
Image.new("RGB", (5, 5)).save(GIF, "GIF")


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"no picture",
        b"<svg xmlns='http://www.w3.org/2000/svg'><script/></svg>",
        GIF.getvalue(),
        picture()[:100],
        bomb(6_000),
        bomb(12_000),
        bomb(2_000_000),
        bomb(100),
        hashlib.shake_128(b"noise").digest(5_000),
    ],
    ids=range(10),
)
async def test_invalid_images_are_refused(world: World, content: bytes) -> None:
    assert bad_fields(await put(world.owner, world.product, content)) == ["image"]
    assert (await world.owner.ok("GET", f"/api/products/{world.product['id']}"))["imageUrl"] is None


async def test_a_valid_image_with_too_many_pixels_is_refused(world: World) -> None:
    target = io.BytesIO()
    Image.new("1", (6_000, 5_000)).save(target, "PNG")
    answer = await put(world.owner, world.product, target.getvalue())
    assert bad_fields(answer) == ["image"]
    assert "25,000,000 pixels" in answer.json()["detail"]


async def test_other_content_types_are_refused(world: World) -> None:
    for kind in ("image/svg+xml", "application/json", "multipart/form-data; boundary=x", ""):
        answer = await put(world.owner, world.product, picture(), kind)
        assert refusal(answer) == (415, "UnsupportedMediaType")
    large = await put(world.owner, world.product, picture() + bytes(2 * 1024 * 1024))
    assert refusal(large) == (413, "PayloadTooLarge")


async def test_only_admins_change_an_image(
    world: World, stranger: Owner, new_owner: Callable[..., Any]
) -> None:
    member = await new_owner("Member")
    await world.join(member, Role.MEMBER)
    path = f"/api/products/{world.product['id']}/image"
    for user, status in ((stranger, 404), (member, 403)):
        assert (await put(user, world.product, picture())).status_code == status
        assert (await user.send("DELETE", path)).status_code == status
