import { t } from "@lingui/core/macro";
import Button from "@mui/material/Button";
import Link from "@mui/material/Link";
import type { ReactNode } from "react";
import { Link as RouterLink } from "react-router";
import { DataList } from "../../ui/list/DataList";
import { EmptyState } from "../../ui/EmptyState";
import { Row } from "../../ui/layout/layout";
import { licenseListPath } from "../../ui/licenseListPath";
import { MODEL_LABELS } from "../../ui/labels";
import { Table } from "../../ui/table/Table";
import { TwoLines } from "../../ui/table/TwoLines";
import { RowActions } from "../../ui/RowActions";
import { termsOf } from "../../ui/policyTerms";
import type { Policy } from "./policy";

export type PolicyAction = "edit" | "apply" | "delete";

interface PolicyListProps {
  productId: string;
  /** The names of the product's entitlement sets by their IDs. */
  setNames: ReadonlyMap<string, string>;
  manage: boolean;
  add: ReactNode;
  onAction: (what: PolicyAction, policy: Policy) => void;
}

export const PolicyList = ({ productId, setNames, manage, add, onAction }: PolicyListProps) => (
  <DataList
    path="policies"
    fixed={{ productId }}
    sort="name"
    empty={
      <EmptyState title={t`No policies yet`} action={add}>
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
          sort: "name",
          cell: ({ id, name }) => (
            <TwoLines
              second={
                <Link component={RouterLink} to={licenseListPath({ policyId: id })}>
                  {t`Licenses`}
                </Link>
              }
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
        manage && {
          key: "Actions",
          label: t`Actions`,
          isUnlabeled: true,
          align: "end",
          cell: (policy) => (
            <Row place="atEnd">
              <Button
                size="small"
                aria-label={t`Apply ${policy.name}`}
                onClick={() => onAction("apply", policy)}
              >
                {t`Apply`}
              </Button>
              <RowActions
                name={policy.name}
                onEdit={() => onAction("edit", policy)}
                onDelete={() => onAction("delete", policy)}
              />
            </Row>
          ),
        },
      ]}
    />
  </DataList>
);
