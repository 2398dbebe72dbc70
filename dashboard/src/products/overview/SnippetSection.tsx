import Skeleton from "@mui/material/Skeleton";
import Stack from "@mui/material/Stack";
import ToggleButton from "@mui/material/ToggleButton";
import ToggleButtonGroup from "@mui/material/ToggleButtonGroup";
import Typography from "@mui/material/Typography";
import { useState } from "react";
import { $api } from "../../api/client";
import { CopyField } from "../../ui/CopyField";
import { Section } from "../../ui/Section";
import { masked } from "../credentials/masked";
import { SNIPPET_NAMES, SNIPPETS, type SnippetName } from "./snippets";

interface SnippetSectionProps {
  productId: string;
  /** Undefined for those who may not see it; they put it in themselves. */
  productKey: string | undefined;
  isKeyShown: boolean;
}

/** Code that runs as it is copied, with this product's own values. */
export function SnippetSection({ productId, productKey, isKeyShown }: SnippetSectionProps) {
  const [name, setName] = useState<SnippetName>("Python");
  const { data } = $api.useQuery("get", "/api/products/{productId}/keys/public", {
    params: { path: { productId } },
  });
  const write = (key: string) =>
    SNIPPETS[name].write({
      productId,
      publicKeyPem: data?.publicKeyPem ?? "",
      productKey: key,
      endpoint: `${location.origin}/api`,
    });
  const key = productKey ?? "YOUR-PRODUCT-KEY";
  return (
    <Section
      title="Put it into your application"
      subtitle={
        productKey
          ? "It runs as it is, with the values of this product. What is copied holds the whole product key."
          : "It holds the values of this product. Ask an Owner or Admin for the product key."
      }
      help="getting-started"
    >
      <Stack sx={{ gap: 1.5 }}>
        <Stack direction="row" sx={{ gap: 1.5, alignItems: "center", flexWrap: "wrap" }}>
          <ToggleButtonGroup
            exclusive
            value={name}
            aria-label="Language"
            onChange={(_, chosen: SnippetName | null) => {
              if (chosen) setName(chosen);
            }}
          >
            {SNIPPET_NAMES.map((item) => (
              <ToggleButton key={item} value={item} sx={{ textTransform: "none" }}>
                {item}
              </ToggleButton>
            ))}
          </ToggleButtonGroup>
          <Typography variant="body2" color="textSecondary">
            {SNIPPETS[name].about}
          </Typography>
        </Stack>
        {data ? (
          <CopyField
            label={name === "Python" ? "Python snippet" : "curl command"}
            value={write(key)}
            shown={write(productKey && !isKeyShown ? masked(productKey) : key)}
            block
          />
        ) : (
          <Skeleton variant="rounded" height={360} />
        )}
      </Stack>
    </Section>
  );
}
