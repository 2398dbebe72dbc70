import { t } from "@lingui/core/macro";
import Button from "@mui/material/Button";
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { Column } from "../../ui/layout/layout";
import { AddIcon } from "../../ui/icons";
import { api } from "../../api/client";
import { ConfirmDialog } from "../../ui/ConfirmDialog";
import { TabHeading } from "../../ui/TabHeading";
import type { TabProps } from "../parts/TabProps";
import type { Feature } from "./feature";
import { FeatureDialog } from "./FeatureDialog";
import { FeatureList, type FeatureAction } from "./FeatureList";
import { PriceDialog } from "./PriceDialog";
import { notify } from "../../ui/toasts/toasts";
import { listKey } from "../../ui/list/useList";

type Asked = { what: "add" } | { what: FeatureAction; feature: Feature };

/** The features of a product and their prices. */
export function FeaturesTab({ product, manage }: TabProps) {
  const [asked, setAsked] = useState<Asked | null>(null);
  const queryClient = useQueryClient();
  const close = () => setAsked(null);
  const add = manage && (
    <Button variant="contained" startIcon={<AddIcon />} onClick={() => setAsked({ what: "add" })}>
      {t`Add feature`}
    </Button>
  );
  return (
    <Column gap="s">
      <TabHeading title={t`Features and prices`} help="features-and-entitlements" action={add}>
        {t`Your application checks for a feature by name. A license without an entitlement set includes every feature. The price is what one use costs a Credit-Based license.`}
      </TabHeading>
      <FeatureList
        productId={product.id}
        manage={manage}
        add={add}
        onAction={(what, feature) => setAsked({ what, feature })}
      />
      {asked?.what === "add" && <FeatureDialog productId={product.id} onClose={close} />}
      {asked?.what === "edit" && (
        <FeatureDialog productId={product.id} feature={asked.feature} onClose={close} />
      )}
      {asked?.what === "price" && <PriceDialog feature={asked.feature} onClose={close} />}
      {asked?.what === "delete" && (
        <ConfirmDialog
          title={t`Delete feature ${asked.feature.name}`}
          action={t`Delete feature`}
          danger
          consequence={t`This permanently deletes the feature and its prices. Credit-Based licenses can no longer use it. A feature that is part of an entitlement set cannot be deleted; remove it from the set first.`}
          onConfirm={async () => {
            await api.DELETE("/api/features/{featureId}", {
              params: { path: { featureId: asked.feature.id } },
            });
            // Refetch only the list: its rows would request the price of the deleted feature.
            await queryClient.invalidateQueries({
              queryKey: listKey(`products/${product.id}/features`),
            });
            notify(t`Feature ${asked.feature.name} deleted.`, { type: "success" });
          }}
          onClose={close}
        />
      )}
    </Column>
  );
}
