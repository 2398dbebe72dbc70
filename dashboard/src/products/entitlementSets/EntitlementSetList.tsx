import { plural, t } from "@lingui/core/macro";
import Chip from "@mui/material/Chip";
import Typography from "@mui/material/Typography";
import type { ReactNode } from "react";
import { Row } from "../../ui/layout/layout";
import { Table } from "../../ui/table/Table";
import { TwoLines } from "../../ui/table/TwoLines";
import { DataList } from "../../ui/list/DataList";
import { EmptyState } from "../../ui/EmptyState";
import { date } from "../../ui/formats";
import { RowActions } from "../../ui/RowActions";
import { entryText } from "../../ui/featureValues";
import type { EntitlementSet } from "./entitlementSet";
import styles from "./entitlementSets.module.css";

const SHOWN = 12;

const Features = ({ entries }: Pick<EntitlementSet, "entries">) => (
  <Row gap="xs" align="stretch" wraps>
    {entries.length === 0 && <Typography color="textSecondary">{t`None`}</Typography>}
    {entries.slice(0, SHOWN).map(({ featureName, value }) => (
      <Chip
        key={featureName}
        size="small"
        variant="outlined"
        label={entryText(featureName, value)}
        className={styles.feature}
      />
    ))}
    {entries.length > SHOWN && (
      <Typography color="textSecondary">
        {plural(entries.length - SHOWN, { other: "and # more" })}
      </Typography>
    )}
  </Row>
);

interface EntitlementSetListProps {
  productId: string;
  manage: boolean;
  add: ReactNode;
  onEdit: (set: EntitlementSet) => void;
  onDelete: (set: EntitlementSet) => void;
}

export const EntitlementSetList = ({
  productId,
  manage,
  add,
  onEdit,
  onDelete,
}: EntitlementSetListProps) => (
  <DataList
    path={`products/${productId}/entitlement-sets`}
    sort="name"
    empty={
      <EmptyState title={t`No entitlement sets yet`} action={add}>
        {t`Without an entitlement set, every license includes every feature. Add a set for each edition you sell.`}
      </EmptyState>
    }
  >
    <Table<EntitlementSet>
      label={t`Entitlement sets`}
      columns={[
        {
          key: "name",
          label: t`Name`,
          sort: "name",
          cell: (set) => <TwoLines>{set.name}</TwoLines>,
        },
        {
          key: "featureNames",
          label: t`Features`,
          cell: (set) => <Features entries={set.entries} />,
        },
        {
          key: "updatedAt",
          label: t`Last updated`,
          sort: "updatedAt",
          from: "md",
          cell: (set) => date(set.updatedAt),
        },
        manage && {
          key: "Actions",
          label: t`Actions`,
          isUnlabeled: true,
          align: "end",
          cell: (set) => (
            <RowActions name={set.name} onEdit={() => onEdit(set)} onDelete={() => onDelete(set)} />
          ),
        },
      ]}
    />
  </DataList>
);
