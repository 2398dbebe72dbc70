"""A store for files of any size, in a folder or a bucket, independent of any feature."""

from licet_server.kit.files.backends import open_files, open_objects
from licet_server.kit.files.objects import ListedObject, Objects
from licet_server.kit.files.store import FileKey, FileMissing, Files, FilesUnavailable

__all__ = [
    "FileKey",
    "FileMissing",
    "Files",
    "FilesUnavailable",
    "ListedObject",
    "Objects",
    "open_files",
    "open_objects",
]
