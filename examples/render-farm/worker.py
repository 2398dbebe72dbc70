"""Renders frames that are missing in a folder: ``python worker.py /shared/frames``.

Start it as often as you like, on as many machines as can see the folder.
"""

import argparse
import os
import sys
import time
from pathlib import Path

from licet import LicenseClient, LicetError, OpenLicense, SeatsExhaustedError  # licet

from product import PRODUCT  # licet

WIDTH, HEIGHT, DEPTH = 96, 64, 40


def brightness(point: complex) -> int:
    value = 0j
    for step in range(DEPTH):
        value = value * value + point
        if abs(value) > 2:
            return 255 * step // DEPTH
    return 255


def render(number: int) -> bytes:
    """A gray picture (PGM) of the Mandelbrot set, closer with each frame."""
    size = 3 / (1 + number / 10)
    rows = [size * (row / HEIGHT - 0.5) for row in range(HEIGHT)]
    columns = [size * (column / WIDTH - 0.5) - 0.75 for column in range(WIDTH)]
    pixels = bytes(brightness(complex(x, y)) for y in rows for x in columns)
    return f"P5 {WIDTH} {HEIGHT} 255\n".encode() + pixels


def work(folder: Path, frames: int, license: OpenLicense) -> None:  # licet
    """Render until no frame is missing. Two workers may render the same one, and none is lost."""
    wanted = [folder / f"{number:04}.pgm" for number in range(frames)]
    while missing := [frame for frame in wanted if not frame.exists()]:
        if not license.seat.held:  # licet
            time.sleep(1)  # licet: the session goes on asking for a seat
            continue  # licet
        frame = missing[os.getpid() % len(missing)]
        unfinished = folder / f".{frame.name}.{os.getpid()}"
        unfinished.write_bytes(render(int(frame.stem)))
        unfinished.replace(frame)
        print(frame.name, flush=True)


def open_when_free(client: LicenseClient, pause: float) -> OpenLicense:  # licet
    """Wait for one of the seats."""
    while True:  # licet
        try:  # licet
            return client.open(on_lost=lambda error: print(error.message, flush=True))  # licet
        except SeatsExhaustedError as error:  # licet
            print(error.message, flush=True)  # licet
            time.sleep(pause)  # licet


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--frames", type=int, default=24)
    parser.add_argument("--pause", type=float, default=10, help="seconds between attempts")  # licet
    given = parser.parse_args()
    try:  # licet
        client = LicenseClient(**PRODUCT, license_key=os.environ.get("LICENSE_KEY"))  # licet
        with client, open_when_free(client, given.pause) as license:  # licet
            work(given.folder, given.frames, license)  # licet
    except LicetError as error:  # licet
        sys.exit(error.message)  # licet


if __name__ == "__main__":
    main()
