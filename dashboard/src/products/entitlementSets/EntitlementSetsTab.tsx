import { t } from "@lingui/core/macro";
import Button from "@mui/material/Button";
import { useState } from "react";
import { Column } from "../../ui/layout/layout";
import { AddIcon } from "../../ui/icons";
import { api } from "../../api/client";
import { ConfirmDialog } from "../../ui/ConfirmDialog";
import { TabHeading } from "../../ui/TabHeading";
import type { TabProps } from "../parts/TabProps";
import { useNotifyChanged } from "../../ui/useNotifyChanged";
import type { EntitlementSet } from "./entitlementSet";
import { EntitlementSetDialog } from "./EntitlementSetDialog";
import { EntitlementSetList } from "./EntitlementSetList";

type Asked = { what: "add" } | { what: "edit" | "delete"; set: EntitlementSet };

/** Entitlement sets: named lists of features that licenses can be restricted to. */
export function EntitlementSetsTab({ product, manage }: TabProps) {
  const [asked, setAsked] = useState<Asked | null>(null);
  const notifyChanged = useNotifyChanged();
  const close = () => setAsked(null);
  const add = manage && (
    <Button variant="contained" startIcon={<AddIcon />} onClick={() => setAsked({ what: "add" })}>
      {t`Add entitlement set`}
    </Button>
  );
  return (
    <Column gap="s">
      <TabHeading title={t`Entitlement sets`} help="features-and-entitlements" action={add}>
        {t`An entitlement set defines an edition of the product: a license with a set includes only its features.`}
      </TabHeading>
      <EntitlementSetList
        productId={product.id}
        manage={manage}
        add={add}
        onEdit={(set) => setAsked({ what: "edit", set })}
        onDelete={(set) => setAsked({ what: "delete", set })}
      />
      {asked?.what === "add" && <EntitlementSetDialog productId={product.id} onClose={close} />}
      {asked?.what === "edit" && (
        <EntitlementSetDialog productId={product.id} set={asked.set} onClose={close} />
      )}
      {asked?.what === "delete" && (
        <ConfirmDialog
          title={t`Delete entitlement set ${asked.set.name}`}
          action={t`Delete entitlement set`}
          danger
          consequence={t`This permanently deletes the set but not its features. A set that licenses use cannot be deleted, because those licenses would then include every feature. Assign them another set first.`}
          onConfirm={async () => {
            await api.DELETE("/api/entitlement-sets/{setId}", {
              params: { path: { setId: asked.set.id } },
            });
            notifyChanged(t`Entitlement set ${asked.set.name} deleted.`);
          }}
          onClose={close}
        />
      )}
    </Column>
  );
}
