"""The topics of the Help center: complete, and with no link that leads nowhere."""

import re
from dataclasses import dataclass
from pathlib import Path

import pytest

from licet import LicenseValidationStatus as SdkStatus
from licet_server import __version__
from licet_server.kit.errors import ErrorCode
from licet_server.kit.web.problems import STATUS
from licet_server.validation.rules.model import ValidationStatus

ROOT = Path(__file__).parents[2]
SOURCES = ROOT / "dashboard/src"
NAMES = re.findall(r'^  "([a-z-]+)",$', (SOURCES / "ui/helpTopics.ts").read_text(), re.MULTILINE)
IN_GERMAN = sorted(path.stem for path in (SOURCES / "help/topics/de").glob("*.md"))
TRANSLATED = {"summary.de", "keywords.de"}
QUESTIONS = {"questions", "questions.de"}
FACTS = {"title", "summary", "group", "order", "keywords", "related", *TRANSLATED}


@dataclass(frozen=True)
class Topic:
    """A page as its file has it."""

    name: str

    @property
    def text(self) -> str:
        return (SOURCES / f"help/topics/{self.name}.md").read_text()

    @property
    def facts(self) -> dict[str, str]:
        front = self.text.split("---\n")[1]
        return dict(re.findall(r"^([\w.]+): (.+)$", front, re.MULTILINE))

    @property
    def anchors(self) -> list[str]:
        """A heading that is one code is named as it, any other by its words."""
        headings = re.findall(r"^#{2,3} (.+)$", self.text, re.MULTILINE)
        return [
            heading.strip("`")
            if re.fullmatch(r"`[^`]+`", heading)
            else re.sub(r"[^a-z0-9]+", "-", heading.lower()).strip("-")
            for heading in headings
        ]

    @property
    def links(self) -> list[tuple[str, str]]:
        """Topic and anchor of each; an anchor alone is one of the same page."""
        found: list[tuple[str, str]] = []
        for address in re.findall(r"\]\(([^)]*)\)", self.text):
            parts = re.fullmatch(r"(?:/help/([a-z-]+))?(?:#(.+))?", address)
            assert parts is not None, f"{self.name}.md links to {address}, outside the Help center"
            found.append((parts[1] or self.name, parts[2] or ""))
        return found


@dataclass(frozen=True)
class Body:
    """What a topic says in one language, without its facts."""

    text: str

    @property
    def shape(self) -> list[str]:
        """What each line is: a heading of its level, a row with its cells, an item, a sentence."""
        return [
            "|" * line.count("|")
            if line.startswith("|")
            else "".join(re.findall(r"^(?:#+|-|>|\d+\.)(?= )", line))
            for line in self.text.splitlines()
        ]

    @property
    def headings(self) -> list[str]:
        return re.findall(r"^#{2,3} (.+)$", self.text, re.MULTILINE)

    @property
    def facts(self) -> list[str]:
        """Code, links and numbers, in any order, since another language puts words elsewhere."""
        found = re.findall(r"`[^`]+`|\]\([^)]+\)|\d+", self.text)
        return sorted(found)

    @property
    def emphasized(self) -> list[str]:
        """What stands in bold or italics, as the labels of the dashboard do."""
        return re.findall(r"(?:\*\*|(?<!\w)_)([^*_\n]+)(?:\*\*|_(?!\w))", self.text)


def german_words() -> dict[str, set[str]]:
    """Each text of the dashboard with what it is in German, which may depend on where it stands."""
    catalog = (SOURCES.parent / "locales/de.po").read_text()
    found: dict[str, set[str]] = {}
    for english, german in re.findall(r'^msgid "(.+)"\nmsgstr "(.+)"$', catalog, re.MULTILINE):
        found.setdefault(english, set()).add(german)
    return found


def in_english(name: str) -> Body:
    return Body(TOPICS[name].text.split("---\n", 2)[2].lstrip())


def in_german(name: str) -> Body:
    return Body((SOURCES / f"help/topics/de/{name}.md").read_text())


TOPICS = {name: Topic(name) for name in NAMES}


def resolves(name: str, anchor: str) -> bool:
    return name in TOPICS and (not anchor or anchor in TOPICS[name].anchors)


def test_the_list_of_topics_is_that_of_the_files() -> None:
    assert sorted(path.stem for path in (SOURCES / "help/topics").glob("*.md")) == NAMES


@pytest.mark.parametrize("name", NAMES)
def test_a_topic_has_its_facts_and_links_that_lead_somewhere(name: str) -> None:
    topic = TOPICS[name]
    assert topic.facts.keys() in (FACTS, FACTS | QUESTIONS)
    answers = re.findall(r" #(\w+)", " ".join(topic.facts.get(fact, "") for fact in QUESTIONS))
    assert [anchor for anchor in answers if anchor not in topic.anchors] == []
    assert len(topic.anchors) == len(set(topic.anchors))
    related = topic.facts["related"].split(", ")
    assert name not in related
    assert [item for item in related if item not in TOPICS] == []
    assert [link for link in topic.links if not resolves(*link)] == []


def test_german_texts_are_those_of_topics() -> None:
    assert IN_GERMAN == NAMES


@pytest.mark.parametrize("name", IN_GERMAN)
def test_a_german_text_has_the_parts_of_the_english_one(name: str) -> None:
    english, german = in_english(name), in_german(name)
    assert german.shape == english.shape
    assert german.facts == english.facts
    assert len(set(german.headings)) == len(german.headings)


@pytest.mark.parametrize("name", IN_GERMAN)
def test_a_german_text_calls_buttons_and_pages_what_the_dashboard_calls_them(name: str) -> None:
    words, german = german_words(), in_german(name).text
    labels = {label for label in in_english(name).emphasized if label in words}
    assert [label for label in labels if not any(word in german for word in words[label])] == []


@pytest.mark.parametrize("name", NAMES)
def test_page_of_documentation_names_topic_of_same_name(name: str) -> None:
    page = ROOT / f"docs/{name}.md"
    assert not page.exists() or f"/help/{name}" in page.read_text()


def test_no_two_topics_stand_in_the_same_place() -> None:
    orders = [topic.facts["order"] for topic in TOPICS.values()]
    assert len(orders) == len(set(orders))


@pytest.mark.parametrize("code", [*ErrorCode, *ValidationStatus, *SdkStatus], ids=str)
def test_every_code_and_status_is_explained(code: str) -> None:
    assert str(code) in TOPICS["error-codes"].anchors


@pytest.mark.parametrize("code", ErrorCode, ids=str)
def test_the_number_of_an_error_is_the_one_that_is_sent(code: ErrorCode) -> None:
    entry = TOPICS["error-codes"].text.split(f"### `{code}`\n")[1].split("\n### ")[0]
    assert f"HTTP {STATUS[code]}" in entry


def test_every_explanation_says_what_to_tell_and_what_to_do() -> None:
    for entry in TOPICS["error-codes"].text.split("\n### ")[1:]:
        assert "- **Tell the customer:** " in entry, entry
        assert "- **Do:** " in entry, entry


@pytest.mark.parametrize("locale", ["en", "de"])
def test_the_news_begin_with_this_version_and_have_five_sentences_for_each(locale: str) -> None:
    text = (SOURCES / f"help/whatsNew/{locale}.md").read_text()
    versions = re.findall(r"^## (.+)\n\n((?:- .+[.]\n)+)", text, re.MULTILINE)
    assert versions[0][0] == __version__
    assert [name for name, news in versions if news.count("\n") > 5 or ". " in news] == []
    english = Body((SOURCES / "help/whatsNew/en.md").read_text())
    assert (Body(text).shape, Body(text).facts) == (english.shape, english.facts)
    links = re.findall(r"/help/([a-z-]+)", text)
    assert links
    assert [name for name in links if name not in TOPICS] == []


def test_links_from_elsewhere_in_the_dashboard_lead_somewhere() -> None:
    found: list[tuple[str, str]] = []
    for path in SOURCES.rglob("*.tsx"):
        source = path.read_text()
        for tag in re.findall(r"<HelpLink\b[^>]*>", source):
            name = re.search(r'topic="([^"]+)"', tag)
            anchor = re.search(r'anchor="([^"]+)"', tag)
            if name is not None:
                found.append((name[1], anchor[1] if anchor is not None else ""))
        found += [(name, "") for name in re.findall(r'\bhelp="([^"]+)"', source)]
        found += re.findall(r'"/help/([a-z-]+)(?:#([^"]+))?"', source)
    assert found
    assert [link for link in found if not resolves(*link)] == []
