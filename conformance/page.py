"""``python -m conformance.page``: write docs/sdk-conformance.md from the recorded outcomes."""

from __future__ import annotations

import argparse
import json
from pathlib import Path

from conformance.report import as_page
from conformance.requirements import requirements

ROOT = Path(__file__).resolve().parents[1]
RESULTS = ROOT / "conformance" / "results"
PAGE = ROOT / "docs" / "sdk-conformance.md"


def main() -> int:
    """Write the page; with ``--check``, 1 if it is not what would be written."""
    parser = argparse.ArgumentParser(prog="python -m conformance.page", description=__doc__)
    parser.add_argument("--check", action="store_true", help="fail if the page would change")
    check = parser.parse_args().check
    results = [json.loads(path.read_text()) for path in sorted(RESULTS.glob("*.json"))]
    page = as_page(results, requirements())
    if check and (not PAGE.exists() or PAGE.read_text() != page):
        print(f"{PAGE.relative_to(ROOT)} is out of date; run `make conformance`.")
        return 1
    if not check:
        PAGE.write_text(page)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
