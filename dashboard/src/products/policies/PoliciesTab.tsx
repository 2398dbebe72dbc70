import { t } from "@lingui/core/macro";
import Button from "@mui/material/Button";
import { useState } from "react";
import { $api, api } from "../../api/client";
import { Column } from "../../ui/layout/layout";
import { ConfirmDialog } from "../../ui/ConfirmDialog";
import { AddIcon } from "../../ui/icons";
import { useNotifyChanged } from "../../ui/useNotifyChanged";
import { TabHeading } from "../../ui/TabHeading";
import type { TabProps } from "../parts/TabProps";
import { ApplyDialog } from "./ApplyDialog";
import type { Policy } from "./policy";
import { PolicyDialog } from "./PolicyDialog";
import { PolicyList, type PolicyAction } from "./PolicyList";

type Asked = { what: "add" } | { what: PolicyAction; policy: Policy };

/** The policies of a product: the plans that its licenses are issued under. */
export function PoliciesTab({ product, manage }: TabProps) {
  const [asked, setAsked] = useState<Asked | null>(null);
  const notifyChanged = useNotifyChanged();
  const { data: sets } = $api.useQuery("get", "/api/products/{productId}/entitlement-sets", {
    params: { path: { productId: product.id }, query: { pageSize: 100, sort: "name" } },
  });
  const setNames = new Map(sets?.items.map(({ id, name }) => [id, name]));
  const close = () => setAsked(null);
  const add = manage && (
    <Button variant="contained" startIcon={<AddIcon />} onClick={() => setAsked({ what: "add" })}>
      {t`Add policy`}
    </Button>
  );
  const dialog = { productId: product.id, setNames, onClose: close };
  return (
    <Column gap="s">
      <TabHeading title={t`Policies`} help="policies" action={add}>
        {t`A policy is a template of licenses: a plan that you sell many times. Changing it changes no license until you apply it.`}
      </TabHeading>
      <PolicyList
        productId={product.id}
        setNames={setNames}
        manage={manage}
        add={add}
        onAction={(what, policy) => setAsked({ what, policy })}
      />
      {asked?.what === "add" && <PolicyDialog {...dialog} />}
      {asked?.what === "edit" && <PolicyDialog {...dialog} policy={asked.policy} />}
      {asked?.what === "apply" && (
        <ApplyDialog policy={asked.policy} setNames={setNames} onClose={close} />
      )}
      {asked?.what === "delete" && (
        <ConfirmDialog
          title={t`Delete policy ${asked.policy.name}`}
          action={t`Delete policy`}
          danger
          consequence={t`This permanently deletes the policy. A policy that licenses were issued under cannot be deleted.`}
          onConfirm={async () => {
            await api.DELETE("/api/policies/{policyId}", {
              params: { path: { policyId: asked.policy.id } },
            });
            notifyChanged(t`Policy ${asked.policy.name} deleted.`);
          }}
          onClose={close}
        />
      )}
    </Column>
  );
}
