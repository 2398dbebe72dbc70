import { plural, t } from "@lingui/core/macro";
import Button from "@mui/material/Button";
import Typography from "@mui/material/Typography";
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useNavigate } from "react-router";
import { api } from "../../api/client";
import type { Product } from "../../api/types";
import { ConfirmDialog } from "../../ui/ConfirmDialog";
import { Section } from "../../ui/Section";
import { UNGUARDED } from "../../ui/UnsavedGuard";
import { notify } from "../../ui/toasts/toasts";
import { listKey } from "../../ui/list/useList";
import styles from "./settings.module.css";

/** Deletes the product. */
export function DangerZone({ product }: { product: Product }) {
  const [isAsked, setAsked] = useState(false);
  const navigate = useNavigate();
  const queryClient = useQueryClient();
  const count = product.licenseCount ?? 0;
  return (
    <Section title={t`Delete product`}>
      <Typography color="textSecondary" className={styles.warning}>
        {t`This permanently deletes the product with its releases, files, features, entitlement sets and keys.`}{" "}
        {count > 0 &&
          t`It has ${plural(count, { one: "# license", other: "# licenses" })}, which you must delete first.`}
      </Typography>
      <Button variant="outlined" color="error" onClick={() => setAsked(true)}>
        {t`Delete product`}
      </Button>
      {isAsked && (
        <ConfirmDialog
          title={t`Delete product`}
          action={t`Delete product`}
          danger
          typed={product.name}
          consequence={t`This permanently deletes its releases, files, features, entitlement sets, RSA keys and product keys. Applications that use one of its product keys are rejected. This cannot be undone.`}
          onConfirm={async () => {
            await api.DELETE("/api/products/{productId}", {
              params: { path: { productId: product.id } },
            });
            queryClient.removeQueries({ queryKey: listKey("products") });
            await navigate("/products", { replace: true, state: UNGUARDED });
            notify(t`Product deleted.`, { type: "success" });
          }}
          onClose={() => setAsked(false)}
        />
      )}
    </Section>
  );
}
