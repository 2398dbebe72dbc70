"""A store for files of any size, in a folder or a bucket, independent of any feature."""

from licet_server.kit.files.backends import open_files, open_objects
from licet_server.kit.files.objects import (
    FileChanged,
    FileMissing,
    FilesUnavailable,
    ListedObject,
    Objects,
)
from licet_server.kit.files.store import FileKey, Files, StepSums

__all__ = [
    "FileChanged",
    "FileKey",
    "FileMissing",
    "Files",
    "FilesUnavailable",
    "ListedObject",
    "Objects",
    "StepSums",
    "open_files",
    "open_objects",
]
