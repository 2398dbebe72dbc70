"""The served OpenAPI document: what the framework derives from the code, completed.

`document` puts it together, declares the problems that each operation can answer with, and shows
it on a page; `components` gives schemas plain names and examples; `samples` has the code of the
SDKs.
"""
