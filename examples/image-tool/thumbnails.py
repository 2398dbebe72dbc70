"""Makes thumbnails, and pays one use for each: ``python thumbnails.py photos thumbnails``."""

import argparse
import os
import secrets
import sys
from io import BytesIO
from pathlib import Path

from licet import InsufficientBalanceError, LicenseClient, LicetError, OpenLicense  # licet
from PIL import Image, UnidentifiedImageError

from product import PRODUCT  # licet

SIZE = (256, 256)


def thumbnail(photo: Path) -> bytes:
    with Image.open(photo) as picture:
        picture.thumbnail(SIZE)
        content = BytesIO()
        picture.convert("RGB").save(content, "WEBP")
    return content.getvalue()


def charge(license: OpenLicense, key_file: Path) -> None:  # licet
    """Pay for one thumbnail, once, whatever happens before it is written.

    The key of the charge is stored first: a run after a crash or a lost response charges with the
    same key, and the server knows it.
    """
    key = key_file.read_text() if key_file.exists() else ""  # licet
    if not key:  # licet
        key = secrets.token_hex(16)  # licet
        key_file.write_text(key)  # licet
    try:  # licet
        license.consume("thumbnail", idempotency_key=key)  # licet
    except InsufficientBalanceError:  # licet
        key_file.unlink()  # licet: the refusal is stored under this key, so a top-up needs another
        raise  # licet


def convert(photos: Path, folder: Path, license: OpenLicense) -> None:  # licet
    for photo in sorted(photos.iterdir()):
        target = folder / f"{photo.name}.webp"
        key_file = folder / f"{photo.name}.charge"  # licet
        if target.exists() and not key_file.exists():
            continue
        try:
            content = thumbnail(photo)
        except UnidentifiedImageError:
            print(f"{photo} is not an image")
            continue
        charge(license, key_file)  # licet
        target.write_bytes(content)
        key_file.unlink()  # licet
        print(target, flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("photos", type=Path)
    parser.add_argument("folder", type=Path)
    given = parser.parse_args()
    given.folder.mkdir(exist_ok=True)
    try:  # licet
        client = LicenseClient(**PRODUCT, license_key=os.environ.get("LICENSE_KEY"))  # licet
        with client, client.open() as license:  # licet
            convert(given.photos, given.folder, license)  # licet
    except LicetError as error:  # licet
        sys.exit(error.message)  # licet


if __name__ == "__main__":
    main()
