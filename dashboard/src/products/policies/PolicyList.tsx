import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import Link from "@mui/material/Link";
import Stack from "@mui/material/Stack";
import Typography from "@mui/material/Typography";
import type { ReactNode } from "react";
import { DataTable } from "react-admin";
import { Link as RouterLink } from "react-router";
import { DataList } from "../../ui/DataList";
import { EmptyState } from "../../ui/EmptyState";
import { licenseListPath } from "../../ui/licenseListPath";
import { MODEL_LABELS } from "../../ui/labels";
import { RowActions } from "../parts/RowActions";
import { termsOf } from "../../ui/policyTerms";
import type { Policy } from "./policy";

export type PolicyAction = "edit" | "apply" | "delete";

const Column = DataTable.Col<Policy>;
const WIDE = { display: { xs: "none", md: "table-cell" } };

interface PolicyListProps {
  productId: string;
  /** The names of the product's entitlement sets by their IDs. */
  setNames: ReadonlyMap<string, string>;
  manage: boolean;
  add: ReactNode;
  onAction: (what: PolicyAction, policy: Policy) => void;
}

export const PolicyList = ({ productId, setNames, manage, add, onAction }: PolicyListProps) => (
  <DataList<Policy>
    resource="policies"
    filter={{ productId }}
    sort={{ field: "name", order: "ASC" }}
    empty={
      <EmptyState title="No policies yet" action={add}>
        A policy is a plan that you sell many times. A license issued under it gets its model, its
        term and its features.
      </EmptyState>
    }
  >
    <DataTable<Policy> bulkActionButtons={false} rowClick={false}>
      <Column
        source="name"
        label="Name"
        render={({ id, name }) => (
          <Box sx={{ minWidth: 110, overflowWrap: "anywhere" }}>
            <Typography dir="auto" sx={{ fontWeight: 600 }}>
              {name}
            </Typography>
            <Link component={RouterLink} to={licenseListPath({ policyId: id })} variant="body2">
              Licenses
            </Link>
          </Box>
        )}
      />
      <Column
        source="type"
        label="Model"
        disableSort
        render={(policy) => (
          <>
            {MODEL_LABELS[policy.type]}
            <Typography variant="body2" color="textSecondary">
              {termsOf(policy)}
            </Typography>
          </>
        )}
      />
      <Column
        source="entitlementSetId"
        label="Entitlement set"
        disableSort
        sx={WIDE}
        render={({ entitlementSetId: id }) => (id ? (setNames.get(id) ?? "—") : "Not restricted")}
      />
      {manage && (
        <Column
          source="id"
          label="Actions"
          align="right"
          disableSort
          render={(policy) => (
            <Stack direction="row" sx={{ justifyContent: "flex-end", alignItems: "center" }}>
              <Button
                size="small"
                aria-label={`Apply ${policy.name}`}
                onClick={() => {
                  onAction("apply", policy);
                }}
              >
                Apply
              </Button>
              <RowActions
                name={policy.name}
                onEdit={() => {
                  onAction("edit", policy);
                }}
                onDelete={() => {
                  onAction("delete", policy);
                }}
              />
            </Stack>
          )}
        />
      )}
    </DataTable>
  </DataList>
);
