import { t } from "@lingui/core/macro";
import { useState } from "react";
import { $api, api, at } from "../../api/client";
import { AddButton } from "../../ui/AddButton";
import { ConfirmDialog } from "../../ui/ConfirmDialog";
import { EmptyState } from "../../ui/EmptyState";
import { MODEL_LABELS } from "../../ui/labels";
import { Column } from "../../ui/layout/layout";
import { DataList } from "../../ui/list/DataList";
import { PageLink } from "../../ui/PageLink";
import { licenseListPath } from "../../ui/paths";
import { termsOf } from "../../ui/policyTerms";
import { TabHeading } from "../../ui/Section";
import { TwoLines, actionsColumn } from "../../ui/table/cells";
import { RowMenu } from "../../ui/table/RowMenu";
import { Table } from "../../ui/table/Table";
import type { TabProps } from "../parts/TabProps";
import { ApplyDialog } from "./ApplyDialog";
import type { Policy } from "./policy";
import { PolicyDialog } from "./PolicyDialog";

type Asked = { what: "add" } | { what: PolicyAction; policy: Policy };

/** The policies of a product: the plans that its licenses are issued under. */
export function PoliciesTab({ product, manage }: TabProps) {
  const [asked, setAsked] = useState<Asked | null>(null);
  const { data: sets } = $api.useQuery("get", "/api/products/{productId}/entitlement-sets", {
    params: { path: { productId: product.id }, query: { pageSize: 100, sort: "name" } },
  });
  const setNames = new Map(sets?.items.map(({ id, name }) => [id, name]));
  const close = () => setAsked(null);
  const dialog = { productId: product.id, setNames, onClose: close };
  return (
    <Column gap="s">
      <TabHeading
        title={t`Policies`}
        help="policies"
        action={
          manage && <AddButton onClick={() => setAsked({ what: "add" })}>{t`Add policy`}</AddButton>
        }
      >
        {t`A policy is a template for licenses: a plan that you sell many times. Existing licenses do not change until you apply a changed policy.`}
      </TabHeading>
      <PolicyList
        productId={product.id}
        setNames={setNames}
        manage={manage}
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
          onConfirm={() =>
            api.DELETE("/api/policies/{policyId}", at({ policyId: asked.policy.id }))
          }
          done={t`Policy ${asked.policy.name} deleted.`}
          onClose={close}
        />
      )}
    </Column>
  );
}

type PolicyAction = "edit" | "apply" | "delete";

interface PolicyListProps {
  productId: string;
  /** The names of the product's entitlement sets by their IDs. */
  setNames: ReadonlyMap<string, string>;
  manage: boolean;
  onAction: (what: PolicyAction, policy: Policy) => void;
}

const PolicyList = ({ productId, setNames, manage, onAction }: PolicyListProps) => (
  <DataList
    path="policies"
    fixed={{ productId }}
    sort="name"
    empty={
      <EmptyState title={t`No policies yet`}>
        {t`A policy is a plan that you sell many times. A license issued under it gets its model, its term and its features.`}
      </EmptyState>
    }
  >
    <Table<Policy>
      label={t`Policies`}
      columns={[
        {
          key: "name",
          label: t`Name`,
          sort: true,
          cell: ({ id, name }) => (
            <TwoLines
              second={<PageLink to={licenseListPath({ policyId: id })}>{t`Licenses`}</PageLink>}
            >
              {name}
            </TwoLines>
          ),
        },
        {
          key: "type",
          label: t`Model`,
          cell: (policy) => (
            <TwoLines second={termsOf(policy)}>{MODEL_LABELS[policy.type]}</TwoLines>
          ),
        },
        {
          key: "entitlementSetId",
          label: t`Entitlement set`,
          from: "md",
          cell: ({ entitlementSetId: id }) => (id ? (setNames.get(id) ?? "—") : t`Not restricted`),
        },
        manage &&
          actionsColumn((policy) => (
            <RowMenu
              name={policy.name}
              acts={[
                { label: t`Edit`, act: () => onAction("edit", policy) },
                { label: t`Apply to licenses`, act: () => onAction("apply", policy) },
                { label: t`Delete`, isGrave: true, act: () => onAction("delete", policy) },
              ]}
            />
          )),
      ]}
    />
  </DataList>
);
