"""What the comparison of photographs sees, and what it lets pass."""

import pytest
from dashboard.photographs import difference
from PIL import Image, ImageDraw

SIZE = 1000, 400


def paper() -> Image.Image:
    return Image.new("RGB", SIZE, "white")


@pytest.mark.parametrize(
    ("box", "color", "seen"),
    [
        ((100, 100, 139, 109), "black", "400 pixels between (100, 100) and (140, 110)"),
        ((100, 100, 139, 109), "#b00", "400 pixels between (100, 100) and (140, 110)"),
        ((100, 100, 139, 109), "#eee", None),
        ((100, 100, 103, 103), "black", None),
    ],
    ids=["a word", "a color", "a shade", "specks"],
)
def test_a_change_is_seen_when_somebody_would_see_it(
    box: tuple[int, int, int, int], color: str, seen: str | None
) -> None:
    changed = paper()
    ImageDraw.Draw(changed).rectangle(box, color)
    assert difference(paper(), changed) == seen


def test_a_page_that_grows_is_told_by_its_size() -> None:
    longer = paper().resize((1000, 420))
    assert difference(paper(), longer) == "1000 x 400 pixels became 1000 x 420"
