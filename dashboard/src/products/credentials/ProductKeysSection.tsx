import { t } from "@lingui/core/macro";
import Button from "@mui/material/Button";
import Skeleton from "@mui/material/Skeleton";
import { useState } from "react";
import { HideIcon, ShowIcon } from "../../ui/icons";
import { $api, api } from "../../api/client";
import type { Schemas } from "../../api/types";
import { ConfirmDialog } from "../../ui/ConfirmDialog";
import { ProblemAlert } from "../../ui/ProblemAlert";
import { Section } from "../../ui/Section";
import { useNotifyChanged } from "../../ui/useNotifyChanged";
import { masked } from "./masked";
import { ProductKeyTable } from "./ProductKeyTable";
import { RotateProductKeyDialog } from "./RotateProductKeyDialog";

type ProductKey = Schemas["ProductKey"];

/** The product keys, for users who may see them. */
export function ProductKeysSection({ productId }: { productId: string }) {
  const [isShown, setShown] = useState(false);
  const [isRotating, setRotating] = useState(false);
  const [deleting, setDeleting] = useState<ProductKey | null>(null);
  const notifyChanged = useNotifyChanged();
  const params = { path: { productId } };
  const { data, error } = $api.useQuery("get", "/api/products/{productId}/credentials", { params });
  return (
    <Section
      title={t`Product keys`}
      subtitle={t`Applications send a product key as X-API-KEY. It allows only what an application needs and cannot issue or list licenses.`}
      help="product-keys"
      actions={
        <>
          <Button
            size="small"
            startIcon={isShown ? <HideIcon /> : <ShowIcon />}
            onClick={() => setShown(!isShown)}
          >
            {isShown ? t`Hide` : t`Show`}
          </Button>
          <Button size="small" variant="outlined" onClick={() => setRotating(true)}>
            {t`Rotate product key`}
          </Button>
        </>
      }
    >
      {error && <ProblemAlert error={error} />}
      {!data && !error && <Skeleton variant="rounded" height={90} />}
      {data && <ProductKeyTable keys={data.keys} isShown={isShown} onRevoke={setDeleting} />}
      {isRotating && (
        <RotateProductKeyDialog productId={productId} onClose={() => setRotating(false)} />
      )}
      {deleting && (
        <ConfirmDialog
          title={t`Revoke product key`}
          action={t`Revoke product key`}
          danger
          consequence={t`Every build that contains ${masked(deleting.apiKey)} is rejected immediately, and this cannot be undone. Online licenses in these builds keep working for their grace period and then stop. Revoke the key once these builds are no longer in use.`}
          onConfirm={async () => {
            await api.DELETE("/api/products/{productId}/credentials/{keyId}", {
              params: { path: { productId, keyId: deleting.id } },
            });
            notifyChanged(t`Product key revoked.`);
          }}
          onClose={() => setDeleting(null)}
        />
      )}
    </Section>
  );
}
