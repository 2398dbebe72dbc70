import { t } from "@lingui/core/macro";
import Skeleton from "@mui/material/Skeleton";
import ToggleButton from "@mui/material/ToggleButton";
import ToggleButtonGroup from "@mui/material/ToggleButtonGroup";
import { useState } from "react";
import { serviceUrl } from "../../api/address";
import { $api, at } from "../../api/client";
import { CopyField } from "../../ui/CopyField";
import { Column, Row } from "../../ui/layout/layout";
import { Muted } from "../../ui/Muted";
import { Section } from "../../ui/Section";
import { masked } from "../credentials/ProductKeysSection";

interface SnippetFacts {
  productId: string;
  /** The current key, and the next one if it is prepared. */
  publicKeyPems: string[];
  productKey: string;
  endpoint: string;
}

/** A program that asks for a license key and opens the license. */
const python = ({ productId, publicKeyPems, productKey, endpoint }: SnippetFacts) => `\
from licet import LicenseClient, LicetError

# Keep these in the code: anyone who can change them can issue licenses. Ship a second public key
# whose private key you keep offline, so that you can replace this one without a new build.
PRODUCT_ID = "${productId}"
PUBLIC_KEYS = [${publicKeyPems.map((pem) => `"""\\\n${pem.trim()}\n"""`).join(", ")}]

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

const typescript = ({ productId, publicKeyPems, productKey, endpoint }: SnippetFacts) => `\
import { LicenseClient, LicetError } from "licet";
import { createInterface } from "node:readline/promises";

// Keep these in the code: anyone who can change them can issue licenses. Ship a second public key
// whose private key you keep offline, so that you can replace this one without a new build.
const productId = "${productId}";
const publicKeys = [${publicKeyPems.map((pem) => `\`\n${pem.trim()}\n\``).join(", ")}];

const terminal = createInterface(process.stdin, process.stdout);
const licenseKey = (await terminal.question("License key: ")).trim();
terminal.close();
const client = new LicenseClient({
  productId,
  publicKeys,
  licenseKey,
  apiKey: "${productKey}",
  serverBaseEndpoint: "${endpoint}",
});
try {
  const license = await client.open();
  console.log(license.status, license.seat);
  await license.close();
} catch (error) {
  if (!(error instanceof LicetError)) throw error;
  console.error(error.message);
} finally {
  await client.close();
}
`;

const dotnet = ({ productId, publicKeyPems, productKey, endpoint }: SnippetFacts) => `\
using Licet;

Console.Write("License key: ");
var options = new LicenseClientOptions
{
    // Keep these in the code: anyone who can change them can issue licenses. Ship a second public
    // key whose private key you keep offline, so that you can replace this one without a new build.
    ProductId = "${productId}",
    PublicKeys = new[] { ${publicKeyPems.map((pem) => `@"\n${pem.trim()}\n"`).join(", ")} },
    LicenseKey = Console.ReadLine()?.Trim(),
    ProductApiKey = "${productKey}",
    ServerBaseEndpoint = "${endpoint}",
};
try
{
    await using var client = new LicenseClient(options);
    await using var license = await client.OpenAsync();
    Console.WriteLine($"{license.License.Type}, {license.Seat}");
}
catch (LicetException error)
{
    Console.Error.WriteLine(error.Message);
}
`;

const curl = ({ productKey, endpoint }: SnippetFacts) => `\
curl -sS '${endpoint}/licenses/validate' \\
  -H 'X-API-KEY: ${productKey}' \\
  -H 'Content-Type: application/json' \\
  -d '{"licenseKey": "XXXXX-XXXXX-XXXXX-XXXXX-XXXXX"}'
`;

const OF_AN_SDK = t`Validates the license, takes the seat that its model needs, and keeps working without a connection where the model allows it.`;

const SNIPPETS = {
  Python: { write: python, label: t`Python snippet`, about: OF_AN_SDK },
  TypeScript: { write: typescript, label: t`TypeScript snippet`, about: OF_AN_SDK },
  ".NET": { write: dotnet, label: t`C# snippet`, about: OF_AN_SDK },
  curl: {
    write: curl,
    label: t`curl command`,
    about: t`Sends one request. It takes no seat, and the response is not verified, so use an SDK in your application.`,
  },
} as const;

type SnippetName = keyof typeof SNIPPETS;
const SNIPPET_NAMES = Object.keys(SNIPPETS) as SnippetName[];

interface SnippetSectionProps {
  productId: string;
  /** Undefined for users who may not see it; the snippet then has a placeholder. */
  productKey: string | undefined;
  isKeyShown: boolean;
}

/** A ready-to-run code snippet with the values of this product. */
export function SnippetSection({ productId, productKey, isKeyShown }: SnippetSectionProps) {
  const [name, setName] = useState<SnippetName>("Python");
  const { data } = $api.useQuery("get", "/api/products/{productId}/keys/public", at({ productId }));
  const write = (key: string) =>
    SNIPPETS[name].write({
      productId,
      publicKeyPems: [data?.publicKeyPem ?? "", ...(data?.next ? [data.next.publicKeyPem] : [])],
      productKey: key,
      endpoint: serviceUrl("/api"),
    });
  const key = productKey ?? "YOUR-PRODUCT-KEY";
  return (
    <Section
      title={t`Integrate it into your application`}
      subtitle={
        productKey
          ? t`Ready to run, with the values of this product. The copied text contains the full product key.`
          : t`Contains the values of this product. Ask an Owner or Admin for the product key.`
      }
      help="getting-started"
    >
      <Column gap="m">
        <Row gap="m" wraps>
          <ToggleButtonGroup
            exclusive
            value={name}
            aria-label={t`Language`}
            onChange={(_, chosen: SnippetName | null) => {
              if (chosen) setName(chosen);
            }}
          >
            {SNIPPET_NAMES.map((item) => (
              <ToggleButton key={item} value={item}>
                {item}
              </ToggleButton>
            ))}
          </ToggleButtonGroup>
          <Muted>{SNIPPETS[name].about}</Muted>
        </Row>
        {data ? (
          <CopyField
            label={SNIPPETS[name].label}
            value={write(key)}
            shown={write(productKey && !isKeyShown ? masked(productKey) : key)}
            block
          />
        ) : (
          <Skeleton variant="rounded" height={360} />
        )}
      </Column>
    </Section>
  );
}
