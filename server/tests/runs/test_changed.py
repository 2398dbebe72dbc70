"""Which tests a change chooses."""

from pathlib import Path

import pytest
from testruns.changed import (
    EVERYWHERE,
    FLOWS,
    FLOWS_OF,
    OTHERS,
    PAGES,
    Choice,
    choose,
    import_graph,
)

ROOT = Path(__file__).parents[3]
SERVER = "server/src/licet_server"
TESTS = "server/tests"
GRAPH = {"webhooks": {"home", "app"}, "kit": {"webhooks", "home", "app"}, "home": {"app"}}
FILES = [
    f"{TESTS}/webhooks/test_claims.py",
    f"{TESTS}/webhooks/receiver.py",
    f"{TESTS}/home/test_home.py",
    f"{TESTS}/kit/web/test_body.py",
    f"{TESTS}/test_monitoring.py",
    f"{TESTS}/e2e/test_demo.py",
    f"{TESTS}/e2e/test_webhooks.py",
    f"{TESTS}/dashboard/test_webhooks.py",
    f"{TESTS}/dashboard/test_walk.py",
]


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """A tree with a few features."""
    for name in FILES:
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).touch()
    (tmp_path / TESTS / "e2e/test_webhooks.py").write_text("from webhooks.receiver import HANG\n")
    return tmp_path


WEBHOOKS, HOME = f"{TESTS}/webhooks", f"{TESTS}/home"


@pytest.mark.parametrize(
    ("changed", "expected"),
    [
        (f"{SERVER}/webhooks/rules.py", Choice(own=[WEBHOOKS], dependents=[HOME])),
        (f"{SERVER}/home/http.py", Choice(own=[HOME])),
        (f"{SERVER}/monitoring.py", Choice(own=[f"{TESTS}/test_monitoring.py"])),
        (f"{SERVER}/demo/__init__.py", Choice(own=[f"{TESTS}/e2e/test_demo.py"])),
        (f"{SERVER}/kit/clock.py", Choice(quick=True)),
        (f"{SERVER}/kit/web/body.py", Choice(own=[f"{TESTS}/kit/web"], quick=True)),
        (f"{SERVER}/app.py", Choice(quick=True)),
        (f"{TESTS}/testkit.py", Choice(quick=True)),
        ("requirements/run.txt", Choice(quick=True)),
        (f"{WEBHOOKS}/test_claims.py", Choice(own=[f"{WEBHOOKS}/test_claims.py"])),
        (f"{WEBHOOKS}/test_removed.py", Choice()),
        (
            f"{WEBHOOKS}/receiver.py",
            Choice(own=[WEBHOOKS], dependents=[f"{TESTS}/e2e/test_webhooks.py"]),
        ),
        ("dashboard/src/webhooks/Page.tsx", Choice(flows=[f"{FLOWS}/test_webhooks.py"])),
        ("dashboard/src/ui/Button.tsx", Choice(flows=[f"{FLOWS}/test_walk.py"])),
        (f"{FLOWS}/test_webhooks.py", Choice(flows=[f"{FLOWS}/test_webhooks.py"])),
        (f"{FLOWS}/visitors.py", Choice(flows=[FLOWS])),
        ("sdks/python/src/licet/client.py", Choice(own=["sdks/python/tests"])),
        ("sdks/typescript/src/core/keys.ts", Choice(commands=["test-typescript"])),
        ("sdks/dotnet/src/Licet/Client.cs", Choice(commands=["test-dotnet"])),
        ("examples/notes/product.py", Choice(own=["examples/tests"])),
        ("docs/webhooks.md", Choice(own=PAGES)),
        ("LICENSE", Choice()),
    ],
)
def test_a_file_chooses_its_tests(checkout: Path, changed: str, expected: Choice) -> None:
    assert choose([changed], GRAPH, checkout) == expected


def test_what_is_chosen_twice_runs_once_with_its_own(checkout: Path) -> None:
    changed = [
        f"{WEBHOOKS}/test_claims.py",
        f"{SERVER}/webhooks/rules.py",
        f"{SERVER}/home/http.py",
    ]
    assert choose(changed, GRAPH, checkout) == Choice(own=[WEBHOOKS, HOME])


def test_the_imports_of_the_service_are_found() -> None:
    graph = import_graph()
    assert "home" in graph["webhooks"]
    assert "webhooks" not in graph["webhooks"]
    assert "sessions" in graph["licenses"]
    assert not set(graph["sessions"]) & {"licenses", "devices"}, "imports go one way"


def test_every_name_stands_for_something() -> None:
    """What was renamed would be chosen no more, without a word."""
    flows = [f"{FLOWS}/test_{name}.py" for names in FLOWS_OF.values() for name in names]
    tests = [path for paths in OTHERS.values() for path in paths]
    packages = [f"{SERVER}/{name}" for name in EVERYWHERE]
    folders = [f"dashboard/src/{name}" for name in FLOWS_OF]
    named = [*flows, *tests, *PAGES, *packages, *folders]
    gone = [
        path for path in named if not any((ROOT / f"{path}{end}").exists() for end in ("", ".py"))
    ]
    assert not gone
