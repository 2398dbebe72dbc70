import { t } from "@lingui/core/macro";
import Button from "@mui/material/Button";
import Skeleton from "@mui/material/Skeleton";
import ToggleButton from "@mui/material/ToggleButton";
import ToggleButtonGroup from "@mui/material/ToggleButtonGroup";
import { useState } from "react";
import { $api, download, at } from "../../api/client";
import { asProblem } from "../../api/problem";
import { CopyButton } from "../../ui/CopyButton";
import { CopyField } from "../../ui/CopyField";
import { DownloadIcon } from "../../ui/icons";
import { Column, Row } from "../../ui/layout/layout";
import { ProblemAlert } from "../../ui/ProblemAlert";
import { Section } from "../../ui/Section";
import { notify } from "../../ui/toasts/toasts";
import styles from "./parts.module.css";

/** The public key as PEM and Base64. */
export function PublicKeySection({ productId }: { productId: string }) {
  const [form, setForm] = useState<"PEM" | "Base64">("PEM");
  const { data, error } = $api.useQuery(
    "get",
    "/api/products/{productId}/keys/public",
    at({ productId }),
  );
  const save = async () => {
    try {
      await download(`/api/products/${productId}/keys/public/download`);
    } catch (error) {
      notify(asProblem(error).message, { type: "error" });
    }
  };
  return (
    <Section
      title={t`Public key`}
      subtitle={t`Your application uses it to verify what the service signs. It is not secret: it can verify licenses but not create them.`}
      help="rsa-keys"
      actions={
        <Button size="small" startIcon={<DownloadIcon />} onClick={() => void save()}>
          {t`Download PEM`}
        </Button>
      }
    >
      {error && <ProblemAlert error={error} />}
      {!data && !error && <Skeleton variant="rounded" height={244} />}
      {data && (
        <Column gap="m">
          <ToggleButtonGroup
            exclusive
            value={form}
            aria-label={t`Key format`}
            onChange={(_, chosen: "PEM" | "Base64" | null) => {
              if (chosen) setForm(chosen);
            }}
          >
            <ToggleButton value="PEM">PEM</ToggleButton>
            <ToggleButton value="Base64">Base64</ToggleButton>
          </ToggleButtonGroup>
          <CopyField
            label={form === "PEM" ? t`Public key (PEM)` : t`Public key (Base64)`}
            value={form === "PEM" ? data.publicKeyPem.trim() : data.publicKey}
            block
          />
        </Column>
      )}
    </Section>
  );
}

/** An inline monospace value with a copy button. */
export const CodeValue = ({ value, label }: { value: string; label: string }) => (
  <Row gap="xs">
    <code className={styles.code}>{value}</code>
    <CopyButton value={value} label={label} />
  </Row>
);
