"""Opens the folder or bucket that LICET_STORAGE_URL or LICET_BACKUP_URL names."""

from datetime import timedelta
from pathlib import Path
from urllib.parse import unquote, urlsplit

from obstore.exceptions import BaseError
from obstore.store import LocalStore, ObjectStore, from_url

from licet_server.kit.files.objects import Objects
from licet_server.kit.files.store import Files
from licet_server.kit.settings import InvalidSetting, Settings

_REQUEST_TIMEOUT = timedelta(seconds=60)


def open_files(settings: Settings) -> Files:
    """Open the configured file store, by default the folder `files` in the data folder.

    A bucket is not contacted until it is needed, so the service starts while it is unreachable.

    Raises:
        InvalidSetting: when the folder cannot be created, or the URL lacks an account.
    """
    url = settings.storage_url
    if url is None:
        return Files(*_folder("LICET_STORAGE_URL", settings.data_dir / "files"))
    return Files(*_opened("LICET_STORAGE_URL", url, settings))


def open_objects(settings: Settings, url: str) -> Objects:
    """Open the store of backups, at the URL of the settings.

    A bucket is not contacted until it is needed.

    Raises:
        InvalidSetting: when the folder cannot be created, or the URL lacks an account.
    """
    return Objects(*_opened("LICET_BACKUP_URL", url, settings))


def _opened(setting: str, url: str, settings: Settings) -> tuple[ObjectStore, Path | None]:
    if url.startswith("file:"):
        return _folder(setting, Path(unquote(urlsplit(url).path)))
    options = {"allow_http": settings.storage_over_http, "timeout": _REQUEST_TIMEOUT}
    try:
        store = from_url(url, client_options=options)  # type: ignore[call-overload]
    except (BaseError, ValueError) as error:
        reason = str(error).partition("\n")[0]
        raise InvalidSetting(setting, f"names a store that cannot be opened ({reason}).") from None
    return store, None


def _folder(setting: str, place: Path) -> tuple[ObjectStore, Path]:
    try:
        place.mkdir(parents=True, exist_ok=True, mode=0o700)
        return LocalStore(place.resolve()), place.resolve()
    except (OSError, BaseError) as error:
        reason = str(error).partition("\n")[0]
        raise InvalidSetting(setting, f"names a folder that cannot be used ({reason}).") from None
