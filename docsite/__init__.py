"""The documentation site: what `make docs` builds from the Markdown pages of this repository.

The pages are plain Markdown that any forge shows. Here they get a navigation, code blocks that
stand side by side become tabs, and the reference of the SDKs is written from their docstrings.
"""
