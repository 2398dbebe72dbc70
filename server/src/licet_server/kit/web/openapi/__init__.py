"""The served OpenAPI document: what the framework derives from the code, completed.

`document` puts it together; `components` gives schemas plain names and examples; `responses`
declares the problems that each operation can answer with; `samples` has the code of the SDKs;
`page` shows the document.
"""
