"""The tools that check and build the documentation."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from docsite import dotnet, links
from docsite.dotnet import dotnet_page
from docsite.hosts import faults_in
from docsite.installs import faults_in as installs_by_name
from docsite.links import faults_of
from docsite.navigation import expanded, place_of
from docsite.pages import Code, anchors, parts, title
from docsite.sources import tracked_files
from docsite.tabs import with_tabs

PAGE = """# A page

## Either one: `seat()`

See [the other](other.md#its-part), [a folder](folder), [this](#either-one-seat),
and `[no](link.md)`.

```sh
echo "[not](a-link.md)"
```
"""

BOX = """namespace Licet;

/// <summary>A box, such as a <see cref="Crate"/>.</summary>
public sealed class Box : IDisposable
{
    private readonly int _size;

    /// <summary>How large it is.</summary>
    public int Size => _size;

    /// <summary>Not for applications.</summary>
    internal bool IsOpen { get; set; }

    /// <summary>Opens it with <paramref name="key"/>.</summary>
    /// <param name="key">A key, or <c>null</c>.</param>
    /// <exception cref="LockedException">It is | locked.</exception>
    public async Task OpenAsync(
        string? key = null)
    {
    }
}
"""
BOX_PAGE = """### Box

```csharp
class Box : IDisposable
```

A box, such as a `Crate`.

| property | |
|---|---|
| `int Size` | How large it is. |

#### Box.OpenAsync

```csharp
Task OpenAsync(string? key = null)
```

Opens it with `key`.

|  | |
|---|---|
| `key` | A key, or `null`. |
| Throws `LockedException` | It is \\| locked. |

"""


@pytest.fixture
def write(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr("docsite.links.ROOT", tmp_path)
    monkeypatch.setattr("docsite.links._read", links._read.__wrapped__)
    monkeypatch.setattr("docsite.links._anchors", links._anchors.__wrapped__)
    (tmp_path / "folder").mkdir()
    return tmp_path


def faults(root: Path, **pages: str) -> list[str]:
    for name, text in pages.items():
        (root / f"{name}.md").write_text(text)
    files = {f"{name}.md" for name in pages} | {"folder/file.txt"}
    return list(faults_of("page.md", files))


def test_links_that_lead_somewhere_are_in_order(write: Path) -> None:
    assert faults(write, page=PAGE, other="# Other\n\n## Its part\n") == []


def test_each_link_that_leads_nowhere_is_named(write: Path) -> None:
    page = "# P\n\n[a](gone.md) [b](other.md#gone) [c](#gone) [d](../../x.md) ![e](gone.png)\n"
    assert faults(write, page=page, other="# Other\n") == [
        "page.md: gone.md does not exist",
        "page.md: other.md#gone has no such heading",
        "page.md: #gone has no such heading",
        "page.md: ../../x.md leaves the repository",
        "page.md: gone.png does not exist",
    ]


def test_headings_have_the_anchors_of_the_forges() -> None:
    assert anchors(PAGE) == {"a-page", "either-one-seat"}
    assert anchors("# A & B\n\n## Twice\n\n## Twice\n") == {"a--b", "twice", "twice-1"}
    assert title("Text\n\n# The `licet` *command*\n") == "The licet command"


def test_blocks_side_by_side_become_tabs() -> None:
    text = "Text\n\n```python\na\n```\n\n```ts\nb\n```\n\n```python\nc\n```\n\nEnd\n"
    items = list(with_tabs(parts(text)))
    tabs = next(item for item in items if isinstance(item, str) and "===" in item)
    assert tabs.count('=== "') == 2
    assert '=== "TypeScript"\n\n    ```ts\n    b\n    ```' in tabs
    assert [item.text for item in items if isinstance(item, Code)] == ["c\n"]


def test_blocks_with_text_between_them_stay_as_they_are() -> None:
    text = "```python\na\n```\n\nor\n\n```ts\nb\n```\n"
    assert list(with_tabs(parts(text))) == list(parts(text))


def test_what_a_page_loads_from_another_host_is_found(tmp_path: Path) -> None:
    page = tmp_path / "index.html"
    page.write_text(
        '<a href="https://x.test">a link</a><img src="a.png"><link rel="next" href="b">'
    )
    assert list(faults_in(tmp_path)) == []
    page.write_text(
        '<script src="https://x.test/a.js"></script><link rel="preconnect" href="//x.test">'
        '<pre class="mermaid">a</pre><p style="background: url(https://x.test/b.png)">'
    )
    (tmp_path / "a.css").write_text("@import 'https://x.test/font.css';")
    assert len(list(faults_in(tmp_path))) == 5


def test_the_navigation_names_each_page_once() -> None:
    files = tracked_files()
    readers = expanded(files).values()
    named = [page for sections in readers for pages in sections.values() for page in pages]
    written = {name for name in files if name.startswith("docs/") and name.endswith(".md")}
    assert len({place_of(page) for page in named}) == len(named)
    assert written - set(named) == {"docs/index.md"}


def test_the_reference_of_dotnet_has_every_public_name() -> None:
    page = dotnet_page()
    code = "\n".join(path.read_text() for path in dotnet.SOURCES.glob("Licet*/*.cs"))
    types = re.findall(
        r"^public [\w ]*?(?:class|enum|record(?: struct)?) (\w+)", code, re.MULTILINE
    )
    methods = re.findall(r"^    public [^=;{(\n]*?(\w+)\(", code, re.MULTILINE)
    properties = re.findall(r"^    public [^=;{(\n]*? (\w+)(?: [{=]|\n)", code, re.MULTILINE)
    assert len(types) > 25
    assert len(methods) > 30
    assert len(properties) > 60
    assert [name for name in types if f"### {name}\n" not in page] == []
    assert [name for name in methods if f".{name}\n" not in page] == []
    assert [name for name in properties if f" {name}` |" not in page] == []


def test_a_comment_becomes_prose_a_table_and_code(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "Licet").mkdir()
    (tmp_path / "Licet" / "Box.cs").write_text(BOX)
    monkeypatch.setattr(dotnet, "SOURCES", tmp_path)
    monkeypatch.setattr(dotnet, "SECTIONS", {"Boxes": ("Box",)})
    assert dotnet_page().partition("## Boxes\n\n")[2] == BOX_PAGE


@pytest.mark.parametrize(
    "line",
    [
        "pip install licet-server",
        "/opt/licet/bin/pip install -q 'licet-server[otel]==0.2.0' --find-links wheels",
        "`pip install licet`.",
        "RUN python -m pip install \\\n    licet",
        "uv tool install Licet",
        "uvx licet-server serve",
        "npm install --save licet@^1",
        "npx licet inspect license.bin",
        "dotnet add App package Licet.Extensions",
        '<PackageReference Include="Licet" Version="1.0.0" />',
        '"dependencies": { "licet": "^1.0.0" }',
        "docker pull licet:latest",
    ],
)
def test_commands_that_install_by_name_alone_are_found(line: str) -> None:
    assert len(list(installs_by_name(line))) == 1


@pytest.mark.parametrize(
    "line",
    [
        "pip install ./sdks/python",
        "pip install './sdks/python[openfeature]'",
        "pip install --no-index --find-links wheels licet-server",
        "pip install --no-index --no-deps dist/licet_server-*.whl && licet-server serve",
        "uvx --from dist/licet_server-0.2.0-py3-none-any.whl licet-server serve",
        "npm install ../licet/sdks/typescript/licet-0.2.0.tgz",
        "dotnet add App package Licet --source ./packages",
        "dotnet add reference ../licet/sdks/dotnet/src/Licet/Licet.csproj",
        '"dependencies": { "licet": "file:../../sdks/typescript" }',
        'the header "LICET_LIMIT": "1"; the product licet is installed',
    ],
)
def test_commands_that_say_where_a_package_comes_from_are_taken(line: str) -> None:
    assert not list(installs_by_name(line))
