import AddIcon from "@mui/icons-material/Add";
import Button from "@mui/material/Button";
import Stack from "@mui/material/Stack";
import { useQueryClient } from "@tanstack/react-query";
import { useNotify } from "ra-core";
import { useState } from "react";
import { api } from "../../api/client";
import { ConfirmDialog } from "../../ui/ConfirmDialog";
import { TabHeading } from "../parts/TabHeading";
import type { TabProps } from "../parts/TabProps";
import type { Feature } from "./feature";
import { FeatureDialog } from "./FeatureDialog";
import { FeatureList, type FeatureAction } from "./FeatureList";
import { PriceDialog } from "./PriceDialog";

type Asked = { what: "add" } | { what: FeatureAction; feature: Feature };

/** What a license of the product may entitle to, and what a use of it costs. */
export function FeaturesTab({ product, manage }: TabProps) {
  const [asked, setAsked] = useState<Asked | null>(null);
  const notify = useNotify();
  const queryClient = useQueryClient();
  const close = () => {
    setAsked(null);
  };
  const add = manage && (
    <Button
      variant="contained"
      startIcon={<AddIcon />}
      onClick={() => {
        setAsked({ what: "add" });
      }}
    >
      Add feature
    </Button>
  );
  return (
    <Stack sx={{ gap: 1 }}>
      <TabHeading title="Features and prices" help="features-and-entitlements" action={add}>
        Your application asks for a feature by its name. A license without an entitlement set grants
        every feature; the price is what one use costs a Credit-Based license.
      </TabHeading>
      <FeatureList
        productId={product.id}
        manage={manage}
        add={add}
        onAction={(what, feature) => {
          setAsked({ what, feature });
        }}
      />
      {asked?.what === "add" && <FeatureDialog productId={product.id} onClose={close} />}
      {asked?.what === "edit" && (
        <FeatureDialog productId={product.id} feature={asked.feature} onClose={close} />
      )}
      {asked?.what === "price" && <PriceDialog feature={asked.feature} onClose={close} />}
      {asked?.what === "delete" && (
        <ConfirmDialog
          title={`Delete feature ${asked.feature.name}`}
          action="Delete feature"
          danger
          consequence="It is deleted for good, with its prices. Credit-Based licenses that use it are refused from then on. A feature that an entitlement set holds is not deleted; take it out of the set first."
          onConfirm={async () => {
            await api.DELETE("/api/features/{featureId}", {
              params: { path: { featureId: asked.feature.id } },
            });
            // The list alone: its row would ask for the price of what there is no more.
            await queryClient.invalidateQueries({ queryKey: [`products/${product.id}/features`] });
            notify(`The feature ${asked.feature.name} was deleted.`, { type: "success" });
          }}
          onClose={close}
        />
      )}
    </Stack>
  );
}
