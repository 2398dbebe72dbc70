"""Releases of this service: the running one, and a newer one to upgrade to.

Licet does not check for newer releases unless `LICET_UPDATE_FEED_URL` is set.
"""
