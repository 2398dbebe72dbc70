"""Mails licenses to those they are issued to, in the words of the vendor.

Templates are Markdown with named placeholders, for a product or for all of an institution. Each
email follows from a recorded event or from a request, is queued in the transaction of that, and
its status is stored in a row of its own.
"""
