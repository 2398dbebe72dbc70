import { t } from "@lingui/core/macro";

export interface SnippetFacts {
  productId: string;
  publicKeyPem: string;
  productKey: string;
  endpoint: string;
}

/** A program that asks for a license key and opens the license. */
const python = ({ productId, publicKeyPem, productKey, endpoint }: SnippetFacts) => `\
# Install the SDK from a checkout of Licet: pip install ./sdks/python
from licet import LicenseClient, LicetError

# Keep these in the code: anyone who can change them can issue licenses. Ship a second public key
# whose private key you keep offline, so that you can replace this one without a new build.
PRODUCT_ID = "${productId}"
PUBLIC_KEYS = ["""\\
${publicKeyPem.trim()}
"""]

client = LicenseClient(
    product_id=PRODUCT_ID,
    public_keys=PUBLIC_KEYS,
    api_key="${productKey}",
    server_base_endpoint="${endpoint}",
    license_key=input("License key: ").strip(),
)
try:
    with client, client.open() as license:
        print(license.status, license.type, license.features, license.seat)
except LicetError as error:
    raise SystemExit(error.message)
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
    about: t`Validates the license, takes the seat that its model needs, and keeps working without a connection where the model allows it.`,
  },
  curl: {
    write: curl,
    about: t`Sends one request. It takes no seat, and the response is not verified, so use an SDK in your application.`,
  },
} as const;

export type SnippetName = keyof typeof SNIPPETS;
export const SNIPPET_NAMES = Object.keys(SNIPPETS) as SnippetName[];
