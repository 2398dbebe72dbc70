"""Counts the words of a text: ``python tally.py essay.txt``."""

import argparse
import sys
from collections import Counter
from pathlib import Path

from licet import LicenseClient, LicetError  # licet

from product import PRODUCT  # licet


def print_words(file: Path, most: int) -> None:
    words = Counter(file.read_text(encoding="utf-8").casefold().split())
    for word, count in words.most_common(most):
        print(f"{count:6} {word}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("file", type=Path)
    parser.add_argument("--license-key", help="needed once: license.bin contains it")  # licet
    given = parser.parse_args()
    try:  # licet
        client = LicenseClient(**PRODUCT, license_key=given.license_key)  # licet
        with client, client.open() as license:  # licet
            print_words(given.file, most=license.entitlement("words", default=3))  # licet
    except LicetError as error:  # licet
        sys.exit(error.message)  # licet


if __name__ == "__main__":
    main()
