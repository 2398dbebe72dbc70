"""Settings fail with a sentence that names the variable."""

import base64
import os
from pathlib import Path

import pytest

from licet_server.kit.settings import InvalidSetting, read_settings


def test_nothing_set_works() -> None:
    settings = read_settings({})
    assert (settings.host, settings.port, settings.workers) == ("127.0.0.1", 8000, None)
    assert settings.database_url is None


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("LICET_PORT", "http"),
        ("LICET_PORT", "0"),
        ("LICET_PORT", "70000"),
        ("LICET_PORT", "٣"),
        ("LICET_WORKERS", "-1"),
        ("LICET_SHUTDOWN_GRACE", "0"),
        ("LICET_ARCHIVING", "maybe"),
        ("LICET_KEEP_LEDGER", "399"),
        ("LICET_KEEP_EVENTS", "99"),
        ("DATABASE_URL", "mysql://localhost/licet"),
        ("LICET_PUBLIC_URL", "licenses.example.com"),
        ("LICET_PUBLIC_URL", "https://[::1/licet"),
        ("LICET_PUBLIC_URL", "https://licenses.example.com:99999/licet"),
        ("LICET_PUBLIC_URL", "https://ann:secret@licenses.example.com/licet"),
        ("LICET_PUBLIC_URL", "https://licenses example.com/licet"),
        ("LICET_PUBLIC_URL", "https://licenses.example.com/tools/.."),
        ("LICET_PUBLIC_URL", "https://licenses.example.com/api"),
        ("LICET_PUBLIC_URL", "https://licenses.example.com/ofrep/x"),
        ("LICET_PUBLIC_URL", "https://\u2603.-b\u00fccher.example"),
        ("LICET_DATA_DIR", os.fsdecode(b"/srv/licet-\xff")),
        ("LICET_MASTER_KEY", "short"),
        ("LICET_MASTER_KEY", base64.b64encode(b"x" * 31).decode()),
        ("LICET_TRUSTED_PROXIES", "10.0.0.0/99"),
        ("LICET_ADMIN_EMAIL", "only@example.com"),
        ("LICET_SIGNUP", "yes"),
        ("LICET_DEFAULT_PLAN", "free"),
        ("LICET_WEBHOOKS_ALLOW_PRIVATE", "1"),
        ("LICET_SMTP_URL", "mail.example.com"),
        ("LICET_SMTP_URL", "http://mail.example.com"),
        ("LICET_SMTP_URL", "smtp://mail.example.com:port"),
        ("LICET_SMTP_URL", "smtp://mail.example.com:99999"),
        ("LICET_SMTP_URL", "smtp://mail.example.com/folder"),
        ("LICET_SMTP_URL", "smtp://mail.example.com?starttls=perhaps"),
        ("LICET_SMTP_URL", "smtps://mail.example.com?starttls=never"),
        ("LICET_SMTP_URL", "smtp://"),
        ("LICET_STORAGE_URL", "files"),
        ("LICET_STORAGE_URL", "ftp://bucket/files"),
        ("LICET_STORAGE_URL", "s3://"),
        ("LICET_STORAGE_URL", "s3://user:password@bucket/files"),
        ("LICET_STORAGE_URL", "s3://bucket/files?region=eu"),
        ("LICET_STORAGE_URL", "file://files"),
        ("LICET_STORAGE_URL", "file://["),
        ("LICET_BACKUP_URL", "on"),
        ("LICET_BACKUP_SECONDS", "0"),
        ("LICET_BACKUP_DAYS", "0"),
        ("LICET_UPDATE_FEED_URL", "example.com/licet.json"),
        ("LICET_UPDATE_FEED_URL", "http://example.com/licet.json"),
        ("LICET_UPDATE_FEED_URL", "https://user:password@example.com/licet.json"),
        ("LICET_UPDATE_FEED_URL", "https://["),
        ("LICET_MAX_FILE_BYTES", "5 GB"),
        ("LICET_MAX_FILE_BYTES", "0"),
    ],
)
def test_wrong_value_names_its_variable(name: str, value: str) -> None:
    with pytest.raises(InvalidSetting) as caught:
        read_settings({"LICET_MAIL_FROM": "licet@example.com", name: value})
    prefix = "LICET_ADMIN" if name.startswith("LICET_ADMIN") else name
    assert str(caught.value).startswith(prefix)
    assert len(str(caught.value)) > 30


def test_data_folder_is_not_below_one_that_has_no_text_as_its_path(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / os.fsdecode(b"\xff")
    folder.mkdir()
    monkeypatch.chdir(folder)
    with pytest.raises(InvalidSetting, match="LICET_DATA_DIR must be UTF-8"):
        read_settings({})


def test_any_postgres_url_is_taken_for_our_driver() -> None:
    for scheme in ("postgres", "postgresql", "postgresql+asyncpg"):
        settings = read_settings({"DATABASE_URL": f"{scheme}://u:p@h/d"})
        assert settings.database_url == "postgresql+asyncpg://u:p@h/d"


def test_secrets_stay_out_of_the_repr() -> None:
    settings = read_settings(
        {
            "DATABASE_URL": "postgres://u:hunter2@h/d",
            "LICET_MASTER_KEY": base64.b64encode(b"k" * 32).decode(),
            "LICET_METRICS_TOKEN": "metrics-secret",
            "LICET_ADMIN_EMAIL": "a@b.c",
            "LICET_ADMIN_PASSWORD": "hunter3hunter3",
        }
    )
    assert not any(word in repr(settings) for word in ("hunter", "kkkk", "metrics-secret"))


MAIL_URLS = {
    "smtp://mail.example.com": ("mail.example.com", 587, "where offered", None, None),
    "smtp://127.0.0.1:25": ("127.0.0.1", 25, "where offered", None, None),
    "smtp://ann:p%40ss%3A@[::1]:2525": ("::1", 2525, "starttls", "ann", "p@ss:"),
    "smtp://ann:secret@relay?starttls=never": ("relay", 587, "never", "ann", "secret"),
    "smtps://a%40b.example:secret@relay": ("relay", 465, "always", "a@b.example", "secret"),
}


@pytest.mark.parametrize("url", MAIL_URLS)
def test_mail_servers(url: str) -> None:
    sender = "Licet <licet@example.com>"
    server = read_settings({"LICET_SMTP_URL": url, "LICET_MAIL_FROM": sender}).mail_server
    assert server is not None
    found = (server.host, server.port, server.tls, server.username, server.password)
    assert found == MAIL_URLS[url]
    assert server.sender == sender
    assert "secret" not in repr(server)


@pytest.mark.parametrize("sender", ["", "nobody", "Licet", "a@b.c\r\nBcc: x@y.z", "Licet <>"])
def test_mail_needs_a_sender(sender: str) -> None:
    with pytest.raises(InvalidSetting, match="LICET_MAIL_FROM"):
        read_settings({"LICET_SMTP_URL": "smtp://mail.example.com", "LICET_MAIL_FROM": sender})


def test_workers_are_a_number_or_left_to_the_machine() -> None:
    assert read_settings({"LICET_WORKERS": "auto"}).workers is None
    assert read_settings({"LICET_WORKERS": "3"}).workers == 3
    with pytest.raises(InvalidSetting, match="LICET_WORKERS must be auto or a whole number"):
        read_settings({"LICET_WORKERS": "many"})


def test_sign_up_is_closed_unless_opened() -> None:
    assert not read_settings({}).signup_open
    assert not read_settings({"LICET_SIGNUP": "closed"}).signup_open
    assert read_settings({"LICET_SIGNUP": "open"}).signup_open


def test_the_default_plan_is_unlimited_unless_set() -> None:
    assert read_settings({}).default_plan == "Unlimited"
    assert read_settings({"LICET_DEFAULT_PLAN": "Free"}).default_plan == "Free"


def test_files_go_over_plain_http_on_this_machine_or_by_name_only() -> None:
    s3 = {"LICET_STORAGE_URL": "s3://bucket"}
    assert not read_settings(s3).storage_over_http
    for host in ("localhost:9000", "127.0.0.1:9000", "[::1]:9000"):
        assert read_settings({**s3, "AWS_ENDPOINT_URL": f"http://{host}"}).storage_over_http
    elsewhere = {**s3, "AWS_ENDPOINT_URL": "http://store.example.com"}
    with pytest.raises(InvalidSetting, match="AWS_ENDPOINT_URL"):
        read_settings(elsewhere)
    assert read_settings({**elsewhere, "AWS_ALLOW_HTTP": "true"}).storage_over_http


def test_backups_go_where_the_files_go_unless_the_settings_say_otherwise() -> None:
    bucket = {"LICET_STORAGE_URL": "s3://files"}
    assert read_settings({}).backup_url is None
    assert read_settings(bucket).backup_url == "s3://files"
    assert read_settings({**bucket, "LICET_BACKUP_URL": "off"}).backup_url is None
    elsewhere = {**bucket, "LICET_BACKUP_URL": "file:///mnt/backups"}
    assert read_settings(elsewhere).backup_url == "file:///mnt/backups"


@pytest.mark.parametrize(
    ("given", "address"),
    [
        ("https://b\u00fccher.example/licet/", "https://xn--bcher-kva.example/licet"),
        ("https://B\u00dcCHER.example:8443", "https://xn--bcher-kva.example:8443"),
        ("https://licenses.example.com/licet", "https://licenses.example.com/licet"),
    ],
)
def test_public_address_is_the_one_that_browsers_name(given: str, address: str) -> None:
    assert read_settings({"LICET_PUBLIC_URL": given}).address == address


def test_data_directory_may_be_the_present_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert read_settings({"LICET_DATA_DIR": "."}).data_dir == tmp_path


def test_data_directory_must_not_be_the_root_or_a_circle(tmp_path: Path) -> None:
    circle = tmp_path / "circle"
    circle.symlink_to(circle)
    for folder in ("/", str(circle), str(circle / "data")):
        with pytest.raises(InvalidSetting, match="LICET_DATA_DIR"):
            read_settings({"LICET_DATA_DIR": folder})
