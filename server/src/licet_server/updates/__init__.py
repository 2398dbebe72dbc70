"""Updates: the release an application should update to, and the download URLs of its files.

A channel offers its own releases only. Yanked releases, and releases the license does not cover,
are not offered.
"""
