from __future__ import annotations

import sys
from collections.abc import Callable

import pytest
from PIL import Image

from examples.tests.kit import REASONS, Copy

TOOL = (sys.executable, "thumbnails.py", "photos", "thumbnails")


@pytest.fixture
def tool(copy: Callable[..., Copy]) -> Copy:
    made = copy("image-tool", initialMeterBalance=5)
    photos = made.folder / "photos"
    photos.mkdir()
    for number in range(3):
        Image.new("RGB", (600, 300), (number * 80, 0, 0)).save(photos / f"{number}.png")
    (photos / "notes.txt").write_text("not an image")
    return made


def results(tool: Copy) -> list[str]:
    return sorted(path.name for path in (tool.folder / "thumbnails").iterdir())


def test_each_image_is_converted_and_paid_for(tool: Copy) -> None:
    assert "notes.txt is not an image" in tool.run(*TOOL)
    assert results(tool) == ["0.png.webp", "1.png.webp", "2.png.webp"]
    with Image.open(tool.folder / "thumbnails/2.png.webp") as thumbnail:
        assert (thumbnail.format, thumbnail.size) == ("WEBP", (256, 128))
    assert tool.license["balance"] == "2"
    tool.run(*TOOL)
    assert tool.license["balance"] == "2"


def test_a_lost_response_is_not_paid_twice(tool: Copy) -> None:
    lost = {"on": "/meter/consume", "dropped": True, "processed": True}
    tool.plan(**lost)
    tool.run(*TOOL)
    assert tool.license["balance"] == "2"
    assert len(results(tool)) == 3


def test_a_run_that_fails_is_continued_with_the_same_charge(tool: Copy) -> None:
    tool.plan(on="/meter/consume", times=5, processed=True, status=503)
    assert tool.run(*TOOL, fails=True)
    assert results(tool) == ["0.png.charge"]
    assert tool.license["balance"] == "4"
    tool.run(*TOOL)
    assert tool.license["balance"] == "2"
    assert results(tool) == ["0.png.webp", "1.png.webp", "2.png.webp"]


def test_a_run_that_is_killed_after_the_charge_is_not_paid_twice(tool: Copy) -> None:
    killed = (
        "import os, runpy, signal, sys, pathlib\n"
        "pathlib.Path.write_bytes = lambda *_: os.kill(os.getpid(), signal.SIGKILL)\n"
        "sys.argv = ['thumbnails.py', 'photos', 'thumbnails']\n"
        "sys.path.insert(0, '.')\n"
        "runpy.run_path('thumbnails.py', run_name='__main__')\n"
    )
    tool.run_killed(sys.executable, "-c", killed)
    assert tool.license["balance"] == "4"
    tool.run(*TOOL)
    assert tool.license["balance"] == "2"


def test_it_ends_when_the_balance_is_used_up_and_goes_on_after_a_top_up(tool: Copy) -> None:
    tool.run(*TOOL)
    for number in range(3, 6):
        Image.new("L", (300, 300)).save(tool.folder / f"photos/{number}.png")
    assert "balance" in tool.run(*TOOL, fails=True)
    assert results(tool)[-1] == "4.png.webp"
    tool.act("grant", amount=1)
    tool.run(*TOOL)
    assert results(tool)[-1] == "5.png.webp"
    assert tool.license["balance"] == "0"


@pytest.mark.parametrize("reason", REASONS)
def test_nothing_is_converted_without_a_license(tool: Copy, reason: str) -> None:
    told = tool.refuse(reason)
    assert told in tool.run(*TOOL, fails=True)
    assert results(tool) == []
