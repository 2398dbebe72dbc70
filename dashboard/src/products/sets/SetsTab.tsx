import AddIcon from "@mui/icons-material/Add";
import Button from "@mui/material/Button";
import Stack from "@mui/material/Stack";
import { useState } from "react";
import { api } from "../../api/client";
import { ConfirmDialog } from "../../ui/ConfirmDialog";
import { TabHeading } from "../parts/TabHeading";
import type { TabProps } from "../parts/TabProps";
import { useChanged } from "../../ui/useChanged";
import type { EntitlementSet } from "./set";
import { SetDialog } from "./SetDialog";
import { SetList } from "./SetList";

type Asked = { what: "add" } | { what: "edit" | "delete"; set: EntitlementSet };

/** Named choices of the product's features, which licenses are restricted to. */
export function SetsTab({ product, manage }: TabProps) {
  const [asked, setAsked] = useState<Asked | null>(null);
  const tell = useChanged();
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
      Add entitlement set
    </Button>
  );
  return (
    <Stack sx={{ gap: 1 }}>
      <TabHeading title="Entitlement sets" help="features-and-entitlements" action={add}>
        An edition of the product: a license that is given a set grants the features in it and no
        others.
      </TabHeading>
      <SetList
        productId={product.id}
        manage={manage}
        add={add}
        onEdit={(set) => {
          setAsked({ what: "edit", set });
        }}
        onDelete={(set) => {
          setAsked({ what: "delete", set });
        }}
      />
      {asked?.what === "add" && <SetDialog productId={product.id} onClose={close} />}
      {asked?.what === "edit" && (
        <SetDialog productId={product.id} set={asked.set} onClose={close} />
      )}
      {asked?.what === "delete" && (
        <ConfirmDialog
          title={`Delete entitlement set ${asked.set.name}`}
          action="Delete entitlement set"
          danger
          consequence="The set is deleted for good; its features stay. While licenses use it, it is not deleted: without the set they would grant every feature. Give those licenses another set first."
          onConfirm={async () => {
            await api.DELETE("/api/entitlement-sets/{setId}", {
              params: { path: { setId: asked.set.id } },
            });
            tell(`The entitlement set ${asked.set.name} was deleted.`);
          }}
          onClose={close}
        />
      )}
    </Stack>
  );
}
