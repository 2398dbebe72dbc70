"""Reads the settings of the stores of files and backups."""

from collections.abc import Mapping
from urllib.parse import urlsplit

from licet_server.kit.invalid_setting import InvalidSetting
from licet_server.kit.this_machine import is_local


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
    """Whether plain HTTP is allowed: to this machine, or anywhere if the operator says so."""
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
