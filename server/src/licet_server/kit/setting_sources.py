"""Sources of settings besides the environment, and the error of an unusable value."""

from collections.abc import Mapping
from pathlib import Path
from urllib.parse import urlsplit

from licet_server.kit.addresses import is_local


class InvalidSetting(Exception):
    """A setting has a value that the service cannot use.

    The message is for the operator: the name of the setting, then `problem`.
    """

    def __init__(self, name: str, problem: str) -> None:
        super().__init__(f"{name} {problem}")
        self.name = name


SUFFIX = "_FILE"
SECRETS = (
    "DATABASE_URL",
    "LICET_ADMIN_PASSWORD",
    "LICET_MASTER_KEY",
    "LICET_METRICS_TOKEN",
    "LICET_SMTP_URL",
)
"""The settings that may be secret; for each, a variable with the suffix may name a file."""

_MOST_BYTES = 64 * 1024


def with_secret_files(given: Mapping[str, str]) -> dict[str, str]:
    """Return the variables, with the contents of the files that some of them name.

    Raises:
        InvalidSetting: for a file that cannot be read or is empty, or beside the variable itself.
    """
    found = dict(given)
    for name in SECRETS:
        path = found.pop(name + SUFFIX, None)
        if path is None:
            continue
        if name in found:
            raise InvalidSetting(name + SUFFIX, f"must not be set together with {name}.")
        found[name] = _read(name + SUFFIX, Path(path))
    return found


def _read(variable: str, path: Path) -> str:
    try:
        with path.open("rb") as file:
            text = file.read(_MOST_BYTES).decode().strip()
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else "it is not text"
        raise InvalidSetting(variable, f"names a file that cannot be read: {reason}.") from None
    if not text:
        raise InvalidSetting(variable, "names a file that is empty.")
    return text


def read_storage_url(given: Mapping[str, str], name: str) -> str | None:
    """Read the URL of a store; None if the variable is not set.

    Raises:
        InvalidSetting: when it is no URL of a folder or a bucket.
    """
    text = given.get(name)
    if text is None:
        return None
    try:
        parts = urlsplit(text)
    except ValueError:
        raise _wrong_storage_url(name) from None
    is_folder = parts.scheme == "file" and not parts.netloc and len(parts.path) > 1
    is_bucket = parts.scheme in {"s3", "gs", "az"} and "@" not in parts.netloc and parts.netloc
    if not (is_folder or is_bucket) or parts.query or parts.fragment:
        raise _wrong_storage_url(name)
    return text


def _wrong_storage_url(name: str) -> InvalidSetting:
    return InvalidSetting(
        name,
        "must be file:///folder, s3://bucket/prefix, gs://bucket/prefix or az://container/prefix. "
        "Set credentials in the cloud provider's own variables, for example AWS_ACCESS_KEY_ID.",
    )


def read_backup_url(given: Mapping[str, str]) -> str | None:
    """Read the URL of the store of backups, by default that of the files, and None for `off`.

    The data folder is no default, because it is lost together with the database.
    """
    if given.get("LICET_BACKUP_URL") == "off":
        return None
    name = "LICET_BACKUP_URL" if "LICET_BACKUP_URL" in given else "LICET_STORAGE_URL"
    return read_storage_url(given, name)


def allows_http(given: Mapping[str, str]) -> bool:
    """Check whether plain HTTP is allowed: to this machine, or anywhere if the operator says so."""
    if given.get("AWS_ALLOW_HTTP", "").lower() == "true":
        return True
    local = False
    for name in ("AWS_ENDPOINT_URL", "AWS_ENDPOINT_URL_S3", "AWS_ENDPOINT"):
        if not given.get(name, "").startswith("http://"):
            continue
        host = urlsplit(given[name]).hostname or ""
        local = is_local(host)
        stores = (given.get("LICET_STORAGE_URL", ""), given.get("LICET_BACKUP_URL", ""))
        if not local and any(url.startswith("s3:") for url in stores):
            raise InvalidSetting(
                name, "must be an https:// URL; set AWS_ALLOW_HTTP=true to allow plain HTTP."
            )
    return local
