"""A store for files of any size, in a folder or a bucket, independent of any feature."""

from licet_server.kit.files.backends import open_files
from licet_server.kit.files.store import FileKey, FileMissing, Files, FilesUnavailable

__all__ = ["FileKey", "FileMissing", "Files", "FilesUnavailable", "open_files"]
