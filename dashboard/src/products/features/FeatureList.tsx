import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import Skeleton from "@mui/material/Skeleton";
import type { ReactNode } from "react";
import { DataTable } from "react-admin";
import { $api } from "../../api/client";
import { DataList } from "../../ui/DataList";
import { EmptyState } from "../../ui/EmptyState";
import { number } from "../../ui/formats";
import { RowActions } from "../parts/RowActions";
import type { Feature } from "./feature";

export type FeatureAction = "edit" | "price" | "delete";

const Column = DataTable.Col<Feature>;
const WIDE = { display: { xs: "none", md: "table-cell" } };

function PriceButton({ feature, onClick }: { feature: Feature; onClick: () => void }) {
  const { data } = $api.useQuery("get", "/api/meter/features/{featureId}/pricing", {
    params: { path: { featureId: feature.id }, query: { pageSize: 1, sort: "-createdAt" } },
  });
  if (!data) return <Skeleton width="8ch" />;
  const price = data.items[0];
  const label = price ? `${number(price.tokenCost)} credits` : "Set price";
  return (
    <Button
      size="small"
      aria-label={price ? `Price of ${feature.name}: ${label}` : `Set price of ${feature.name}`}
      onClick={onClick}
      sx={{ whiteSpace: "nowrap", ml: -1.5 }}
    >
      {label}
    </Button>
  );
}

interface FeatureListProps {
  productId: string;
  manage: boolean;
  add: ReactNode;
  onAction: (what: FeatureAction, feature: Feature) => void;
}

export const FeatureList = ({ productId, manage, add, onAction }: FeatureListProps) => (
  <DataList<Feature>
    resource={`products/${productId}/features`}
    sort={{ field: "name", order: "ASC" }}
    perPage={10}
    empty={
      <EmptyState title="No features yet" action={add}>
        Add a feature for each part of your application that not every license includes, or whose
        use is metered.
      </EmptyState>
    }
  >
    <DataTable<Feature> bulkActionButtons={false} rowClick={false}>
      <Column
        source="name"
        label="Name"
        render={(feature) => (
          <Box component="code" sx={{ display: "block", minWidth: 100, overflowWrap: "anywhere" }}>
            {feature.name}
          </Box>
        )}
      />
      <Column source="kind" label="Kind" disableSort sx={WIDE} />
      <Column
        source="displayName"
        label="Display name"
        disableSort
        sx={{ ...WIDE, minWidth: 140 }}
        render={(feature) => <span dir="auto">{feature.displayName ?? "—"}</span>}
      />
      <Column
        source="description"
        label="Description"
        disableSort
        sx={WIDE}
        render={(feature) => (
          <Box
            dir="auto"
            sx={{
              maxWidth: 420,
              overflow: "hidden",
              display: "-webkit-box",
              WebkitLineClamp: 2,
              WebkitBoxOrient: "vertical",
              overflowWrap: "anywhere",
            }}
          >
            {feature.description ?? "—"}
          </Box>
        )}
      />
      {manage && (
        <Column
          source="productId"
          label="Price"
          disableSort
          render={(feature) => (
            <PriceButton
              feature={feature}
              onClick={() => {
                onAction("price", feature);
              }}
            />
          )}
        />
      )}
      {manage && (
        <Column
          source="id"
          label="Actions"
          align="right"
          disableSort
          render={(feature) => (
            <RowActions
              name={feature.name}
              onEdit={() => {
                onAction("edit", feature);
              }}
              onDelete={() => {
                onAction("delete", feature);
              }}
            />
          )}
        />
      )}
    </DataTable>
  </DataList>
);
