import { t } from "@lingui/core/macro";
import Button from "@mui/material/Button";
import Skeleton from "@mui/material/Skeleton";
import type { ReactNode } from "react";
import { Table } from "../../ui/table/Table";
import { $api } from "../../api/client";
import { DataList } from "../../ui/list/DataList";
import { EmptyState } from "../../ui/EmptyState";
import { amountText } from "../../ui/quantities";
import { RowActions } from "../../ui/RowActions";
import { KIND_LABELS, type Feature } from "./feature";
import styles from "./features.module.css";

export type FeatureAction = "edit" | "price" | "delete";

function PriceButton({ feature, onClick }: { feature: Feature; onClick: () => void }) {
  const { data } = $api.useQuery("get", "/api/meter/features/{featureId}/pricing", {
    params: { path: { featureId: feature.id }, query: { pageSize: 1, sort: "-createdAt" } },
  });
  if (!data) return <Skeleton width="8ch" />;
  const price = data.items[0];
  const label = price ? amountText(price.tokenCost, "credits") : t`Set price`;
  return (
    <Button
      size="small"
      aria-label={price ? t`Price of ${feature.name}: ${label}` : t`Set price of ${feature.name}`}
      onClick={onClick}
      className={styles.price}
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
  <DataList
    path={`products/${productId}/features`}
    sort="name"
    pageSize={10}
    empty={
      <EmptyState title={t`No features yet`} action={add}>
        {t`Add a feature for each part of your application that not every license includes, or whose use is metered.`}
      </EmptyState>
    }
  >
    <Table<Feature>
      label={t`Features`}
      columns={[
        {
          key: "name",
          label: t`Name`,
          sort: "name",
          cell: (feature) => <code className={styles.name}>{feature.name}</code>,
        },
        { key: "kind", label: t`Kind`, from: "md", cell: ({ kind }) => KIND_LABELS[kind] },
        {
          key: "displayName",
          label: t`Display name`,
          from: "md",
          cell: (feature) => <span dir="auto">{feature.displayName ?? "—"}</span>,
        },
        {
          key: "description",
          label: t`Description`,
          from: "md",
          cell: (feature) => (
            <div dir="auto" className={styles.description}>
              {feature.description ?? "—"}
            </div>
          ),
        },
        manage && {
          key: "Price",
          label: t`Price`,
          cell: (feature) => (
            <PriceButton feature={feature} onClick={() => onAction("price", feature)} />
          ),
        },
        manage && {
          key: "Actions",
          label: t`Actions`,
          isUnlabeled: true,
          align: "end",
          cell: (feature) => (
            <RowActions
              name={feature.name}
              onEdit={() => onAction("edit", feature)}
              onDelete={() => onAction("delete", feature)}
            />
          ),
        },
      ]}
    />
  </DataList>
);
