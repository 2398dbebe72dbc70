"""The served OpenAPI document: what the framework derives from the code, completed.

`document` puts it together; `components` gives schemas plain names and examples; `responses`
declares the problems that each operation can answer with; `samples` has the code of the SDKs;
`page` shows the document.
"""

from licet_server.kit.web.openapi.components import Examples
from licet_server.kit.web.openapi.document import (
    AmountSchema,
    openapi_config,
    openapi_document,
    reference_page,
)
from licet_server.kit.web.openapi.responses import declared_codes

__all__ = [
    "AmountSchema",
    "Examples",
    "declared_codes",
    "openapi_config",
    "openapi_document",
    "reference_page",
]
