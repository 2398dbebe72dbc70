"""Images of one machine that run at once, each with a copy of the same state folder."""

from __future__ import annotations

import shutil
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path

from client_scenarios.requests import HERE
from client_scenarios.target import License, Vendor
from licet import LicetError, SeatsExhaustedError, Session

IMAGES = 30
LONG_TIMEOUT = 600
"""Seconds of a session's timeout, so that no seat is freed by a busy machine."""
PATIENCE_S = 150.0


@dataclass
class Image:
    """A running image, and the errors with which it has lost its seat."""

    session: Session
    lost: list[LicetError]


def until(reached: Callable[[], bool]) -> None:
    deadline = time.monotonic() + PATIENCE_S
    while not reached():
        assert time.monotonic() < deadline, "the images never come to rest"
        time.sleep(0.05)


@contextmanager
def running(vendor: Vendor, license_: License, folder: Path) -> Iterator[list[Image]]:
    """Images of a machine on which the application has run before, under another license."""
    golden, earlier = folder / "golden", vendor.issue("Floating", seats=1)
    with vendor.target.client(golden, earlier.key, hardware_id=HERE) as client, client.session():
        pass
    images: list[Image] = []
    with ExitStack() as stack:
        for number in range(IMAGES):
            copy, lost = folder / str(number), list[LicetError]()
            shutil.copytree(golden, copy)
            client = stack.enter_context(vendor.target.client(copy, license_.key, hardware_id=HERE))
            session = stack.enter_context(client.session(on_lost=lost.append))
            images.append(Image(session, lost))
        yield images


def held(images: list[Image]) -> list[str]:
    return sorted(image.session.id for image in images if image.session.alive)


def live(license_: License) -> list[str]:
    return sorted(session.id for session in license_.sessions)


def stay(images: list[Image], license_: License) -> None:
    """Another heartbeat of each image changes nothing."""
    before = held(images)
    assert live(license_) == before
    alive = [image.session for image in images if image.session.alive]
    seen = [session.expires_at for session in alive]
    until(lambda: all(session.expires_at != at for session, at in zip(alive, seen, strict=True)))
    assert held(images) == live(license_) == before


def check_images_take_a_seat_each(vendor: Vendor, folder: Path) -> None:
    """As many images as seats: each holds its own, and none ever loses it."""
    quick = vendor.with_short_sessions(timeout=LONG_TIMEOUT)
    license_ = quick.issue("Floating", seats=IMAGES)
    with running(quick, license_, folder) as images:
        until(lambda: len(live(license_)) == IMAGES and held(images) == live(license_))
        stay(images, license_)
        assert not any(image.lost for image in images)


def check_images_without_a_seat_hear_it(vendor: Vendor, folder: Path) -> None:
    """More images than seats: the others hear once that they have none."""
    seats = 10
    # A server allows 60 connects a minute: all have heard it before the first of them tries again.
    quick = vendor.with_short_sessions(interval=6, timeout=LONG_TIMEOUT)
    license_ = quick.issue("Floating", seats=seats)
    with running(quick, license_, folder) as images:
        until(lambda: sum(len(image.lost) for image in images) == IMAGES - seats)
        until(lambda: len(held(images)) == seats)
        stay(images, license_)
        told = [image.lost for image in images if not image.session.alive]
        assert [len(errors) for errors in told] == [1] * (IMAGES - seats)
        assert all(isinstance(errors[0], SeatsExhaustedError) for errors in told)


def check_a_copied_folder_keeps_its_new_identity(vendor: Vendor, folder: Path) -> None:
    """The image that was replaced finds its own seat again after a restart."""
    quick = vendor.with_short_sessions(timeout=LONG_TIMEOUT)
    license_ = quick.issue("Floating", seats=2)
    with quick.target.client(folder / "a", license_.key, hardware_id=HERE) as first:
        session = first.session().open()
        started = session.id
        shutil.copytree(folder / "a", folder / "b")
        with (
            quick.target.client(folder / "b", license_.key, hardware_id=HERE) as second,
            second.session() as copy,
        ):
            until(lambda: session.id != started)
            assert live(license_) == sorted([session.id, copy.id])
            [renewed] = [item.instance_id for item in license_.sessions if item.id == session.id]
            session.close()
            with first.session() as again:
                [found] = [item.instance_id for item in license_.sessions if item.id == again.id]
                assert found == renewed
                assert copy.alive
