import Alert from "@mui/material/Alert";
import Button from "@mui/material/Button";
import { useQueryClient } from "@tanstack/react-query";
import { useNotify } from "ra-core";
import { useState } from "react";
import { api } from "../../api/client";
import type { Product } from "../../api/types";
import { ProblemAlert } from "../../ui/ProblemAlert";

/** The product has nothing to sign with yet, and how it gets it. */
export function KeysNotice({ product }: { product: Product }) {
  const queries = useQueryClient();
  const notify = useNotify();
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const generate = async () => {
    setBusy(true);
    setError(null);
    try {
      await api.POST("/api/products/{productId}/keys/generate", {
        params: { path: { productId: product.id } },
        body: { keySize: 3072 },
      });
      await queries.invalidateQueries({ queryKey: ["get"] });
      notify(`${product.name} has its RSA keys.`);
    } catch (refusal) {
      setError(refusal);
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
            Generate keys
          </Button>
        }
      >
        {product.name} has no RSA keys yet. Licenses are signed with them, so they come first.
      </Alert>
      {error !== null && <ProblemAlert error={error} />}
    </>
  );
}
