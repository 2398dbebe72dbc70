"""No text of people becomes a header or a body: every email, with names made for that, as sent."""

import importlib
import inspect
from collections.abc import AsyncIterator, Callable, Iterator, Mapping
from dataclasses import replace
from email import message_from_bytes
from email.policy import default
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast
from uuid import UUID

import pytest
from kit.mail.hostile import HALVES, HOSTILE
from kit.mail.smtp import Mailbox, at, running_server
from testkit import FakeClock, settings_for
from volumes import is_long

import licet_server
from licet_server.app import build_platform
from licet_server.connectors.rules.reports import Span
from licet_server.customers.rules.model import Customer
from licet_server.delivery.rules.markdown import PLACEHOLDERS
from licet_server.delivery.rules.templates import (
    MailKind,
    TemplateSource,
    Translation,
    compose,
    effective,
)
from licet_server.delivery.service.mails import as_letter
from licet_server.identity.rules.memberships import AccountApiKey
from licet_server.identity.rules.users import User
from licet_server.identity.service import emails as of_accounts
from licet_server.identity.service.portal_emails import IssuedBy
from licet_server.kit import mail
from licet_server.kit.emails import is_email
from licet_server.kit.mail import Email, Letter, Look
from licet_server.kit.mail.emails import as_bytes, header_text, with_head
from licet_server.kit.origin import Origin
from licet_server.notifications.rules.facts import Names
from licet_server.notifications.rules.model import WORDING, notice_of
from licet_server.notifications.service.notifying import MAX_LISTED, email_about

ID = UUID(int=1)
TO = "ann@example.com"
HEAD = ["From", "To", "Subject", "Date", "Message-ID", "Auto-Submitted"]
HEAD += ["MIME-Version", "Content-Type"]
HEAD_OF_LETTER = [HEAD[0], "Reply-To", *HEAD[1:]]


def writers() -> Iterator[Callable[..., Email]]:
    """Every function that a feature writes emails with, apart from those of templates."""
    root = Path(licet_server.__path__[0])
    for path in sorted({*root.glob("*/service/*.py"), *root.glob("*/service.py")}):
        name = ".".join(path.relative_to(root.parent).with_suffix("").parts)
        if "Email" not in path.read_text():
            continue
        found = importlib.import_module(name.removesuffix(".__init__"))
        for function_name, function in inspect.getmembers(found, inspect.isfunction):
            is_own = function.__module__ == found.__name__ and not function_name.startswith("_")
            if is_own and inspect.signature(function).return_annotation is Email:
                yield function


def _api_key(text: str) -> AccountApiKey:
    return AccountApiKey(
        id=ID,
        name=text,
        institution_id=ID,
        institution_name=text,
        created_at=FakeClock.START,
        last_used_at=None,
    )


def people(text: str) -> dict[type, Any]:
    at = FakeClock.START
    return {
        User: User(id=ID, email=TO, email_verified=True, full_name=text, is_system_admin=False),
        Customer: Customer(
            institution_id=ID, id=ID, email=TO, name=text, created_at=at, updated_at=at
        ),
        Look: Look(text),
    }


def argument(name: str, kind: Any, text: str) -> Any:
    if name in {"email", "recipient"}:
        return TO
    if kind in people(text):
        return people(text)[kind]
    if kind is str:
        return text
    if kind is bool:
        return False
    if kind is int:
        return 1
    if kind is Span:
        day = FakeClock.START.date()
        return Span(day, day, FakeClock.START, FakeClock.START)
    if kind == str | None:
        return None
    if "IssuedBy" in str(kind):
        return IssuedBy((text, text), (text, text), welcome=text, look=Look(text))
    raise TypeError(f"Write emails with {name}: {kind}, too.")


def written_by_features(text: str) -> Iterator[Email]:
    for function in writers():
        if function in {email_about, of_accounts.notice_email}:
            continue
        asked = inspect.signature(function).parameters.values()
        given = {item.name: argument(item.name, item.annotation, text) for item in asked}
        yield function(**given)


class Facts(dict[str, Any]):
    """The facts of an event, each of which is the same text."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.text = text

    def get(self, key: str, default: Any = None) -> Any:
        return self.text

    def __contains__(self, key: object) -> bool:
        return True


def notices(text: str) -> Iterator[Email]:
    names = Names(*({ID: text} for _ in range(3)))
    for kind in WORDING:
        event = SimpleNamespace(
            kind=kind, data=Facts(text), id=ID, institution_id=ID, subject_id=ID,
            product_id=ID, license_id=ID, actor_id=ID, actor_name=text, subject_name=text,
        )  # fmt: skip
        notice = notice_of(cast("Any", event), names)
        yield email_about(TO, notice.kind, [notice], "https://licet.example")


def of_templates(values: Mapping[str, str], subject: str | None = None) -> Iterator[Email]:
    """An email of each kind; the sender is the institution, whose name is among the values."""
    for kind in MailKind:
        template = replace(effective(kind, None, None), reply_to="help@vendor.example")
        if subject is not None:
            words = {"en": Translation(subject, "Hello {customer}")}
            template = replace(template, translations=words, source=TemplateSource.PRODUCT)
        composed = compose(template, values, None)
        letter = as_letter(composed, Look(values["vendor"]))
        yield Email(TO, composed.subject, letter=letter, vendor_id=ID)


def notices_of_accounts(text: str) -> Iterator[Email]:
    found = [item for item in vars(of_accounts).values() if isinstance(item, of_accounts.Notice)]
    found += [of_accounts.reset_notice([_api_key(text)], are_revoked=it) for it in (True, False)]
    for notice in found:
        yield of_accounts.notice_email(
            notice, TO, name=text, moment="now", address="https://licet.example"
        )


def every_email(text: str) -> Iterator[Email]:
    values = dict.fromkeys(PLACEHOLDERS, text)
    yield from notices_of_accounts(text)
    yield from written_by_features(text)
    yield from notices(text)
    yield from of_templates(values)
    yield from of_templates(values, "{customer}{product}, your {licenseName} of {vendor}")
    yield Email(TO, text, letter=Letter("Body", "<p>Body</p>", text, None))


def test_emails_of_accounts_and_teams_write_email_as_the_pages_do() -> None:
    for email in (*notices_of_accounts("Ada"), *written_by_features("Ada")):
        text = f"{email.subject}\n{email.text}"
        assert "e-mail" not in text.lower(), text


@pytest.fixture
async def send(
    new_database: Callable[[], str], tmp_path: Path, clock: FakeClock
) -> AsyncIterator[Callable[..., Any]]:
    platform = build_platform(settings_for(new_database(), tmp_path), clock)

    async def send_all(emails: list[Email]) -> list[tuple[bytes, Email]]:
        async with platform.unit_of_work(Origin()) as work:
            written = {str(await mail.write(work, email)): email for email in emails}
        mailbox = Mailbox()
        with running_server(mailbox) as port:
            settings = replace(platform.settings, mail_server=at(port))
            while await mail.deliver(replace(platform, settings=settings)):
                pass
        ids = (message_from_bytes(raw)["Message-ID"][1:].partition("@")[0] for raw in mailbox.raw)
        return [(raw, written[item]) for raw, item in zip(mailbox.raw, ids, strict=True)]

    yield send_all
    await platform.database.close()


async def test_every_email_has_the_headers_that_were_meant(send: Callable[..., Any]) -> None:
    names = HOSTILE if is_long() else HOSTILE[::3]
    emails = [email for name in names for email in every_email(name)]
    emails += of_templates({**dict.fromkeys(PLACEHOLDERS, ""), "customer": HALVES[0],
                            "product": HALVES[1]}, "{customer}{product}")  # fmt: skip
    sent = await send(emails)
    assert len(sent) == len(emails)
    for raw, email in sent:
        is_letter = email.letter is not None and email.letter.reply_to is not None
        require(raw, HEAD_OF_LETTER if is_letter else HEAD, email)


def require(raw: bytes, head: list[str], email: Email) -> None:
    lines = raw.partition(b"\r\n\r\n")[0].decode("ascii").split("\r\n")
    assert [line.partition(":")[0] for line in lines if line[0] not in " \t"] == head, raw
    message = message_from_bytes(raw)
    assert message.keys() == head
    assert message["To"] == TO
    plain, html = cast("list[Any]", message.get_payload())
    for part, text in ((plain, email.text), (html, email.html)):
        got = part.get_payload(decode=True).decode(part.get_content_charset())
        assert got.splitlines() == text.splitlines()


@pytest.mark.parametrize("name", HOSTILE, ids=range(len(HOSTILE)))
def test_every_name_stays_one_line_of_text(name: str) -> None:
    for email in every_email(name):
        raw = as_bytes(ID, "Licet <licet@example.com>", email, FakeClock.START)
        is_letter = email.letter is not None and email.letter.reply_to is not None
        require(raw, HEAD_OF_LETTER if is_letter else HEAD, email)
        # A relay that parses headers and writes them again gets the same ones, too.
        again = message_from_bytes(raw, policy=default).as_bytes()
        assert message_from_bytes(again).keys() == message_from_bytes(raw).keys()


@pytest.mark.parametrize("name", [*HOSTILE, "".join(HALVES), "==??", "=?" * 400])
def test_nothing_begins_an_encoded_word(name: str) -> None:
    assert "=?" not in header_text(name)
    assert header_text(name).isprintable()


def test_an_address_is_no_encoded_word() -> None:
    forged = "=?utf-8?q?x=0d=0aBcc=3ax?=@example.com"
    assert not is_email(forged)
    for recipient, reply_to in ((forged, None), (TO, forged), (f"{TO}\r\nBcc: x", None)):
        letter = Letter("Body", "<p>Body</p>", "Vendor", reply_to)
        with pytest.raises(ValueError, match="address"):
            as_bytes(
                ID, "Licet <a@example.com>", Email(recipient, "s", (), letter), FakeClock.START
            )


@pytest.mark.parametrize(
    "value", ["a\r\nBcc: x", "a\r\n\r\nbody", "a\nBcc: x", "a\rBcc: x", "a\r\n\tb", "a\r\n "]
)
def test_a_message_with_another_head_is_never_sent(value: str) -> None:
    with pytest.raises(ValueError, match="message has"):
        with_head([("Subject", value)], b"Content-Type: text/plain\r\n\r\nbody")


def test_names_are_shown_as_they_are() -> None:
    for name in ("Acme, Inc.", "Größe & Söhne GmbH", "株式会社ノースウィンド", "O'Neil"):
        email = Email(TO, name, letter=Letter("t", "h", name, None))
        raw = as_bytes(ID, "Licet <a@example.com>", email, FakeClock.START)
        message = message_from_bytes(raw, policy=default)
        assert message["Subject"] == name
        assert message["From"].addresses[0].display_name == name


def test_every_feature_with_emails_is_walked() -> None:
    assert len({function.__module__ for function in writers()}) >= 5
    assert len(list(notices("x"))) == len(WORDING)
    assert MAX_LISTED > 1
