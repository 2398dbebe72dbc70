"""The conformance suite of SDKs, in any language; see README.md in this folder."""
