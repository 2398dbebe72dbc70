"""Code blocks of different SDKs that stand side by side become tabs."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Iterator

from docsite.pages import Code

LANGUAGES = {"python": "Python", "ts": "TypeScript", "csharp": "C#"}


def with_tabs(items: Iterable[str | Code]) -> Iterator[str | Code]:
    """Replace runs of code blocks with nothing between them by one tab for each language."""
    run: list[Code] = []
    gap = ""
    for item in items:
        if isinstance(item, Code) and _continues(run, item):
            run.append(item)
            gap = ""
        elif isinstance(item, str) and run and not item.strip():
            gap = item
        else:
            yield from _written(run, gap)
            run, gap = ([item], "") if isinstance(item, Code) else ([], "")
            if isinstance(item, str):
                yield item
    yield from _written(run, gap)


def _continues(run: list[Code], block: Code) -> bool:
    languages = {code.language for code in run}
    return block.language not in languages and (languages | {block.language}) <= set(LANGUAGES)


def _written(run: list[Code], gap: str) -> Iterator[str | Code]:
    if len(run) > 1:
        yield "\n\n".join(_tab(code) for code in run)
    else:
        yield from run
    if gap:
        yield gap


def _tab(code: Code) -> str:
    block = f"```{code.language}\n{textwrap.dedent(code.text)}```"
    tab = f'=== "{LANGUAGES[code.language]}"\n\n{textwrap.indent(block, " " * 4)}\n'
    return textwrap.indent(tab, code.indent)
