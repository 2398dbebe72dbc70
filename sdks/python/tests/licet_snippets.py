"""The Python of the documentation, and the application that it is a part of.

A page shows a few lines of an application. Here is the rest: what the lines call, a license of
the model that the section is about, and stand-ins for frameworks that are not installed.
"""

from __future__ import annotations

import ast
import asyncio
import inspect
import json
import re
import textwrap
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

from licet import AsyncLicenseClient, LicenseClient
from licet.testing import FakeLicense, FakeServer

ROOT = Path(__file__).resolve().parents[3]
BLOCK = re.compile(r"^( *)```python\n(.*?)^\1```", re.DOTALL | re.MULTILINE)
HEADING = re.compile(r"^#+ (.+)$", re.MULTILINE)

# What other tests run, and excerpts of the service that no application contains.
ELSEWHERE = {"docs/testing-your-application.md", "docs/your-first-change.md"}

SAMPLES = "server/src/licet_server/kit/web/openapi/samples.md"

MODELS: dict[str, dict[str, Any]] = {
    "Perpetual": {"activation_mode": "Offline"},
    "Floating": {"seats": 2, "max_borrow_days": 30},
    "Concurrent": {"seats": 2, "offline_activation": "SelfService"},
    "MeteredCount": {
        "initial_meter_balance": 100,
        "max_borrow_days": 30,
        "max_offline_credits": 100,
    },
    "Subscription": {"features": {"export": True, "projects": 5}},
}
SECTIONS = {
    "4. Verify it": "Perpetual",
    "5. Tie it to machines": "Floating",
    "6. Sell usage": "MeteredCount",
    "In the application": "Concurrent",
    "A file for a hardware ID": "Perpetual",
    "macOS: the .app": "Perpetual",
    "Activations": "Concurrent",
    "Live sessions": "Floating",
    "Borrowed seats": "Floating",
    "Borrow a seat": "Floating",
    "Either one: `seat()`": "Concurrent",
    "Metering": "MeteredCount",
    "Reserve credits": "MeteredCount",
    "Offline requests": "Concurrent",
    "gunicorn": "Floating",
    "FastAPI, Starlette, Litestar": "Floating",
    "Celery": "MeteredCount",
    "multiprocessing": "MeteredCount",
    "Tk": "Floating",
    "Qt": "Floating",
    "activate": "Concurrent",
    "releaseActivation": "Concurrent",
    "connect": "Floating",
    "heartbeat": "Floating",
    "disconnect": "Floating",
    "borrow": "Floating",
    "renew": "Floating",
    "reportLease": "MeteredCount",
    "returnLease": "Floating",
    "consume": "MeteredCount",
    "showOwnBalance": "MeteredCount",
}
"""The model of the license, by the heading above the lines; a Subscription elsewhere."""


@dataclass(frozen=True)
class Snippet:
    """Lines of a page, and the heading above them."""

    page: str
    heading: str
    number: int
    code: str

    @property
    def name(self) -> str:
        return f"{self.page}:{self.number} {self.heading}"


def snippets() -> Iterator[Snippet]:
    """The Python of each page that no other test runs."""
    more = ("README.md", "sdks/python/README.md", SAMPLES)
    pages = [*ROOT.glob("docs/*.md"), *(ROOT / page for page in more)]
    for path in sorted(pages):
        page = str(path.relative_to(ROOT))
        if page not in ELSEWHERE:
            text = path.read_text(encoding="utf-8")
            for number, found in enumerate(BLOCK.finditer(text), start=1):
                above = HEADING.findall(text[: found.start()])
                yield Snippet(page, above[-1], number, textwrap.dedent(found[2]))


class Application:
    """What stands around a snippet: a server, a license, a client, and what the lines call."""

    def __init__(self, snippet: Snippet, folder: Path, base: str, server: FakeServer) -> None:
        self.model = model = SECTIONS.get(snippet.heading, "Subscription")
        self.server, self.base, self.folder = server, base, folder
        self.license: FakeLicense = server.issue(model, **MODELS[model])  # type: ignore[arg-type]
        self.calls: list[tuple[str, tuple[Any, ...]]] = []
        self.called = threading.Condition()
        self._write_files()
        self.names = self._names(snippet)
        self.modules = self._modules()

    def options(self) -> dict[str, Any]:
        given = self.server.options(
            self.license, folder=self.folder, server_base_endpoint=self.base
        )
        return {**given, "app_version": "1.0.0"}

    def _write_files(self) -> None:
        if self.model == "Perpetual":
            (self.folder / "license.bin").write_text(self.license.file())
        settings = {
            "ServerBaseEndpoint": self.base,
            "ProductApiKey": self.server.api_key,
            "LicenseKey": self.license.key,
        }
        (self.folder / "licet.json").write_text(json.dumps(settings))
        demo = self.folder / "licet-demo"
        demo.mkdir()
        (demo / "public-key.pem").write_text(self.server.public_key)
        told = {
            "server": self.base,
            "product_id": self.server.product_id,
            "license_key": self.license.key,
            "public_key_file": str(demo / "public-key.pem"),
            "license_file": str(demo / "license.bin"),
            "product_key": self.server.api_key,
        }
        (demo / "demo.json").write_text(json.dumps(told))
        self.server.publish("2.0.0", {"setup.exe": b"new"}, platform="windows-x64")

    def _answer(self, snippet: Snippet, client: LicenseClient) -> bytes | None:
        """What the offline desk says to a client, which has taken it before it releases itself."""
        if snippet.heading not in ("Offline requests", "In the application"):
            return None
        answer = self.license.answer_offline(client.offline_request().text).file
        if answer is not None and "release_offline" in snippet.code:
            client.apply_offline_answer(answer)
        return answer

    def _names(self, snippet: Snippet) -> dict[str, Any]:
        options = self.options()
        chosen = self.folder / "chosen.bin"
        if self.model == "Perpetual":
            chosen.write_text(self.license.file())
        recorded = (
            *("run_the_application", "show_to_user", "lock", "unlock", "pause_the_work", "log"),
            *("resume_the_work", "save", "show_progress", "enable_the_menus", "render_the_frames"),
            *("on_lost", "on_change", "put_into_a_queue", "show_qr_code"),
        )
        client = LicenseClient(**options)
        return {
            "__name__": "__licet_snippet__",
            "Path": Path,
            "options": {name: options[name] for name in options if name != "license_file"},
            "client": client,
            "answer": self._answer(snippet, client),
            "async_client": AsyncLicenseClient(**options),
            "PRODUCT_ID": self.server.product_id,
            "PUBLIC_KEY": self.server.public_key,
            "PUBLIC_KEYS": [self.server.public_key],
            "PRODUCT_KEY": self.server.api_key,
            "key_the_user_entered": self.license.key,
            "saved_key": "order-1",
            "frames": 3,
            "folder": self.folder,
            "data_folder": self.folder,
            "chosen": chosen,
            "downloads_folder": self.folder,
            "app": SimpleNamespace(state=SimpleNamespace()),
            "SECRET": "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw",
            "is_new": lambda _identifier: True,
            "window": SimpleNamespace(show=self._async_recorder("show")),
            **{name: self._recorder(name) for name in recorded if not name.startswith("run_")},
            "run_the_application": self._run_recorder(),
        }

    def _record(self, name: str, *arguments: Any) -> None:
        with self.called:
            self.calls.append((name, arguments))
            self.called.notify_all()

    def _recorder(self, name: str) -> Callable[..., None]:
        return lambda *arguments: self._record(name, *arguments)

    def _async_recorder(self, name: str) -> Callable[..., Any]:
        async def record(*arguments: Any) -> None:
            self._record(name, *arguments)

        return record

    def _run_recorder(self) -> Callable[..., Any]:
        """For lines that await the application, and for those that do not."""

        async def nothing() -> None:
            return

        def run(*arguments: Any) -> Any:
            self._record("run_the_application", *arguments)
            try:
                asyncio.get_running_loop()
            except RuntimeError:
                return None
            return nothing()

        return run

    def wait_for(self, name: str) -> tuple[Any, ...]:
        """The arguments of the first call of a function, once it was called."""

        def found() -> tuple[Any, ...] | None:
            return next((args for called, args in self.calls if called == name), None)

        with self.called:
            arguments = self.called.wait_for(found, timeout=60)
        assert arguments is not None, f"{name}() was not called, but {self.calls}"
        return arguments

    def names_called(self) -> set[str]:
        return {name for name, _ in self.calls}

    def _modules(self) -> dict[str, ModuleType]:
        licensing = ModuleType("licensing")
        licensing.client = self.names["client"]  # type: ignore[attr-defined]
        frameworks = {**make_celery(), **make_qt(), **make_webhooks()}
        return {"licensing": licensing, "tkinter": make_tk(self), **frameworks}

    def run(self, snippet: Snippet) -> None:
        """Run the lines, with the values of this server in place of the printed ones."""
        code = snippet.code
        for printed, value in {
            '"MIIBojANBgkqhkiG9w0BAQ...", "MIIBojANBgkqhkiG9w0BAQ..."': self.server.public_key,
            '"MIIBojANBgkqhkiG9w0BAQ..."': self.server.public_key,
            '"01920000-0000-7000-8000-000000000001"': self.server.product_id,
            '"https://licenses.example.com/api"': self.base,
            '"http://127.0.0.1:8000/api"': self.base,
            '"pk_..."': self.server.api_key,
            '"/var/lib/myservice"': str(self.folder),
            '"/data/license.bin"': str(self.folder / "license.bin"),
        }.items():
            code = code.replace(printed, repr(value))
        flags = ast.PyCF_ALLOW_TOP_LEVEL_AWAIT
        compiled = compile(code, snippet.name, "exec", flags=flags, dont_inherit=True)
        if compiled.co_flags & inspect.CO_COROUTINE:
            asyncio.run(eval(compiled, self.names))
        else:
            exec(compiled, self.names)

    def close(self) -> None:
        self.names["client"].close()
        asyncio.run(self.names["async_client"].aclose())


def make_celery() -> dict[str, ModuleType]:
    """As much of Celery as the page uses: signals, and tasks that know their request."""

    class SignalStandIn:
        def __init__(self) -> None:
            self.receivers: list[Callable[..., object]] = []

        def connect(self, receiver: Callable[..., object]) -> Callable[..., object]:
            self.receivers.append(receiver)
            return receiver

        def send(self) -> None:
            for receiver in self.receivers:
                receiver(sender=self)

    class Celery:
        def __init__(self, name: str) -> None:
            self.name = name

        def task(self, **_options: object) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
            me = SimpleNamespace(request=SimpleNamespace(id="task-1"))
            return lambda function: lambda *arguments: function(me, *arguments)

    celery, signals = ModuleType("celery"), ModuleType("celery.signals")
    celery.Celery, celery.signals = Celery, signals  # type: ignore[attr-defined]
    signals.worker_init = SignalStandIn()  # type: ignore[attr-defined]
    signals.worker_shutdown = SignalStandIn()  # type: ignore[attr-defined]
    return {"celery": celery, "celery.signals": signals}


def make_qt() -> dict[str, ModuleType]:
    """As much of Qt as the page uses: objects with signals, delivered at once."""

    class Bound:
        def __init__(self) -> None:
            self.slots: list[Callable[..., object]] = []

        def connect(self, slot: Callable[..., object]) -> None:
            self.slots.append(slot)

        def emit(self, *arguments: object) -> None:
            for slot in self.slots:
                slot(*arguments)

    class Signal:
        def __init__(self, *_types: type) -> None:
            self.name = ""

        def __set_name__(self, _owner: type, name: str) -> None:
            self.name = f"_signal_{name}"

        def __get__(self, item: Any, _owner: type) -> Bound:
            bound: Bound = item.__dict__.setdefault(self.name, Bound())
            return bound

    package, core = ModuleType("PySide6"), ModuleType("PySide6.QtCore")
    core.QObject, core.Signal = type("QObject", (), {}), Signal  # type: ignore[attr-defined]
    return {"PySide6": package, "PySide6.QtCore": core}


def make_webhooks() -> dict[str, ModuleType]:
    """The library that verifies webhooks, which takes every signature here."""

    class Webhook:
        def __init__(self, secret: str) -> None:
            assert secret.startswith("whsec_")

        def verify(self, body: bytes, _headers: dict[str, str]) -> Any:
            return json.loads(body)

    library = ModuleType("standardwebhooks")
    library.Webhook = Webhook  # type: ignore[attr-defined]
    library.WebhookVerificationError = ValueError  # type: ignore[attr-defined]
    return {"standardwebhooks": library}


def make_tk(application: Application) -> ModuleType:
    """A window whose main loop ends when the menus are enabled."""

    class Tk:
        def __init__(self) -> None:
            self.waiting: list[Callable[[], None]] = []

        def after(self, _milliseconds: int, function: Callable[[], None]) -> None:
            self.waiting.append(function)

        def mainloop(self) -> None:
            ends = {"enable_the_menus", "show_to_user"}
            while self.waiting and not ends & application.names_called():
                time.sleep(0.01)
                self.waiting.pop(0)()

    tkinter = ModuleType("tkinter")
    tkinter.Tk = Tk  # type: ignore[attr-defined]
    return tkinter
