"""Code of the SDKs for the operations that applications call, from the page beside this module.

The page is Markdown, so that the tests run and compile its code like that of the documentation.
"""

import re
from functools import cache
from pathlib import Path

CodeSample = dict[str, str]

LANGUAGES = {
    "python": ("python", "Python SDK"),
    "ts": ("typescript", "TypeScript SDK"),
    "csharp": ("csharp", ".NET SDK"),
}
"""By the name of a code block: the language and the label of its samples."""

_PAGE = Path(__file__).with_name("samples.md")
_HEADING = re.compile(r"^## (\w+)$", re.MULTILINE)
_BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.DOTALL | re.MULTILINE)


@cache
def code_samples() -> dict[str, list[CodeSample]]:
    """The samples by operation, each as `x-codeSamples` has them."""
    _, *pieces = _HEADING.split(_PAGE.read_text(encoding="utf-8"))
    return {
        operation: [_sample(name, source) for name, source in _BLOCK.findall(text)]
        for operation, text in zip(pieces[::2], pieces[1::2], strict=True)
    }


def _sample(block: str, source: str) -> CodeSample:
    language, label = LANGUAGES[block]
    return {"lang": language, "label": label, "source": source.rstrip("\n")}
