import { t } from "@lingui/core/macro";
import Button from "@mui/material/Button";
import { useState } from "react";
import { useNavigate } from "react-router";
import { api } from "../../api/client";
import type { Product } from "../../api/types";
import { ConfirmDialog } from "../../ui/ConfirmDialog";

/** Copies a product as a Test product, and opens the copy. */
export function TestCopyButton({ product }: { product: Product }) {
  const [isAsking, setAsking] = useState(false);
  const navigate = useNavigate();
  const copy = async () => {
    const { data } = await api.POST("/api/products/{productId}/test-copy", {
      params: { path: { productId: product.id } },
      body: null,
    });
    if (data) await navigate(`/products/${data.id}`);
  };
  return (
    <>
      <Button onClick={() => setAsking(true)}>{t`Copy to a test product`}</Button>
      {isAsking && (
        <ConfirmDialog
          title={t`Copy to a test product?`}
          consequence={t`The copy has the settings, features, entitlement sets, policies and published releases, and keys of its own. Its licenses unlock nothing that you sell.`}
          action={t`Copy product`}
          onConfirm={copy}
          done={t`Test product created.`}
          onClose={() => setAsking(false)}
        />
      )}
    </>
  );
}
