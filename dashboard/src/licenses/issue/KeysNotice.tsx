import { t } from "@lingui/core/macro";
import Alert from "@mui/material/Alert";
import Button from "@mui/material/Button";
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { api, at } from "../../api/client";
import type { Product } from "../../api/types";
import { ProblemAlert } from "../../ui/ProblemAlert";
import { notify } from "../../ui/toasts/toasts";

/** Shown if the product has no RSA keys, with a button to generate them. */
export function KeysNotice({ product }: { product: Product }) {
  const queries = useQueryClient();
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const generate = async () => {
    setBusy(true);
    setError(null);
    try {
      await api.POST("/api/products/{productId}/keys/generate", {
        ...at({ productId: product.id }),
        body: { keySize: 3072 },
      });
      await queries.invalidateQueries({ queryKey: ["get"] });
      notify(t`RSA keys generated for ${{ product: product.name }}.`);
    } catch (error) {
      setError(error);
    } finally {
      setBusy(false);
    }
  };
  return (
    <>
      <Alert
        severity="warning"
        action={
          <Button color="inherit" size="small" loading={busy} onClick={() => void generate()}>
            {t`Generate keys`}
          </Button>
        }
      >
        {t`${{ product: product.name }} has no RSA keys yet. They are needed to sign licenses, so generate them first.`}
      </Alert>
      {error !== null && <ProblemAlert error={error} />}
    </>
  );
}
