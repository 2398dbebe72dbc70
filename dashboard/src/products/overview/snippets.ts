export interface SnippetFacts {
  productId: string;
  publicKeyPem: string;
  productKey: string;
  endpoint: string;
}

/** A program that asks for a license key and validates it. */
const python = ({ productId, publicKeyPem, productKey, endpoint }: SnippetFacts) => `\
# Install the SDK from a checkout of Licet: pip install ./sdks/python
from licet import LicenseClient

PUBLIC_KEY = """\\
${publicKeyPem.trim()}
"""

with LicenseClient(
    product_id="${productId}",
    public_key=PUBLIC_KEY,
    api_key="${productKey}",
    server_base_endpoint="${endpoint}",
    license_key=input("License key: ").strip(),
) as client:
    result = client.validate()

print(result.status, result.message)
if not result:
    raise SystemExit("This license is not valid for this application.")
`;

const curl = ({ productKey, endpoint }: SnippetFacts) => `\
curl -sS '${endpoint}/licenses/validate' \\
  -H 'X-API-KEY: ${productKey}' \\
  -H 'Content-Type: application/json' \\
  -d '{"licenseKey": "XXXXX-XXXXX-XXXXX-XXXXX-XXXXX"}'
`;

export const SNIPPETS = {
  Python: {
    write: python,
    about:
      "Validates the license online, stores license.bin, and keeps working without a connection.",
  },
  curl: {
    write: curl,
    about: "Sends one request. The response is not verified, so use an SDK in your application.",
  },
} as const;

export type SnippetName = keyof typeof SNIPPETS;
export const SNIPPET_NAMES = Object.keys(SNIPPETS) as SnippetName[];
