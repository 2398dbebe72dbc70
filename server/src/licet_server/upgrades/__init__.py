"""Releases of this service: the one that runs, and a newer one to upgrade to.

Licet asks nobody for newer releases unless `LICET_UPDATE_FEED_URL` names a feed.
"""
