import { t } from "@lingui/core/macro";
import { $api, api, at } from "../../api/client";
import { AddButton } from "../../ui/AddButton";
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
import { useActions } from "../../ui/useActions";
import type { TabProps } from "../parts/TabProps";
import { ApplyDialog } from "./ApplyDialog";
import { type Policy, PolicyDialog } from "./PolicyDialog";

/** The policies of a product: the plans that its licenses are issued under. */
export function PoliciesTab({ product, manage }: TabProps) {
  const { data: sets } = $api.useQuery("get", "/api/products/{productId}/entitlement-sets", {
    params: { path: { productId: product.id }, query: { pageSize: 100, sort: "name" } },
  });
  const setNames = new Map(sets?.items.map(({ id, name }) => [id, name]));
  const shared = { productId: product.id, setNames };
  const add = (
    <AddButton dialog={(onClose) => <PolicyDialog {...shared} onClose={onClose} />}>
      {t`Add policy`}
    </AddButton>
  );
  return (
    <Column gap="s">
      <TabHeading title={t`Policies`} help="policies" action={manage && add}>
        {t`A policy is a template for licenses: a plan that you sell many times. Existing licenses do not change until you apply a changed policy.`}
      </TabHeading>
      <PolicyList {...shared} manage={manage} />
    </Column>
  );
}

interface PolicyListProps {
  productId: string;
  /** The names of the product's entitlement sets by their IDs. */
  setNames: ReadonlyMap<string, string>;
  manage: boolean;
}

function PolicyList({ productId, setNames, manage }: PolicyListProps) {
  const actions = useActions<Policy>((policy) => [
    {
      label: t`Edit`,
      dialog: (onClose) => <PolicyDialog {...{ productId, setNames, policy, onClose }} />,
    },
    {
      label: t`Apply to licenses`,
      dialog: (onClose) => <ApplyDialog {...{ policy, setNames, onClose }} />,
    },
    {
      label: t`Delete`,
      isGrave: true,
      confirm: {
        title: t`Delete policy ${policy.name}`,
        action: t`Delete policy`,
        danger: true,
        consequence: t`This permanently deletes the policy. A policy that licenses were issued under cannot be deleted.`,
        onConfirm: () => api.DELETE("/api/policies/{policyId}", at({ policyId: policy.id })),
        done: t`Policy ${policy.name} deleted.`,
      },
    },
  ]);
  return (
    <>
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
              cell: ({ entitlementSetId: id }) =>
                id ? (setNames.get(id) ?? "—") : t`Not restricted`,
            },
            manage &&
              actionsColumn((policy) => <RowMenu name={policy.name} acts={actions.of(policy)} />),
          ]}
        />
      </DataList>
      {actions.dialog}
    </>
  );
}
