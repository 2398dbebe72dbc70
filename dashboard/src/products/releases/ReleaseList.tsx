import { t } from "@lingui/core/macro";
import Button from "@mui/material/Button";
import Link from "@mui/material/Link";
import Skeleton from "@mui/material/Skeleton";
import { useState } from "react";
import { Column } from "../../ui/layout/layout";
import { AddIcon } from "../../ui/icons";
import { Table } from "../../ui/table/Table";
import { Link as RouterLink } from "react-router";
import { $api } from "../../api/client";
import { DataList } from "../../ui/list/DataList";
import { EmptyState } from "../../ui/EmptyState";
import { dateTime, number } from "../../ui/formats";
import { StatusChip } from "../../ui/StatusChip";
import { TabHeading } from "../../ui/TabHeading";
import type { TabProps } from "../parts/TabProps";
import type { Release } from "./release";
import styles from "./releases.module.css";
import { ReleaseDialog } from "./ReleaseDialog";

function FileCount({ releaseId }: { releaseId: string }) {
  const { data } = $api.useQuery("get", "/api/releases/{releaseId}/files", {
    params: { path: { releaseId }, query: { pageSize: 1 } },
  });
  return data ? number(data.totalCount ?? data.items.length) : <Skeleton width="2ch" />;
}

export function ReleaseList({ product, manage }: TabProps) {
  const [isAdding, setAdding] = useState(false);
  const add = manage && (
    <Button variant="contained" startIcon={<AddIcon />} onClick={() => setAdding(true)}>
      {t`Add release`}
    </Button>
  );
  const pathOf = (release: Release) => `/products/${product.id}/releases/${release.id}`;
  return (
    <Column gap="s">
      <TabHeading title={t`Releases`} help="releases" action={add}>
        {t`Versions of the product. Applications that check for updates are offered the newest published release of their channel.`}
      </TabHeading>
      <DataList
        path={`products/${product.id}/releases`}
        sort="-createdAt"
        pageSize={10}
        empty={
          <EmptyState title={t`No releases yet`} action={add}>
            {t`You need a published release to issue licenses.`}
          </EmptyState>
        }
      >
        <Table<Release>
          label={t`Releases`}
          link={pathOf}
          columns={[
            {
              key: "version",
              label: t`Version`,
              sort: "version",
              cell: (release) => (
                <Link
                  component={RouterLink}
                  to={pathOf(release)}
                  underline="hover"
                  className={styles.version}
                >
                  {release.version}
                </Link>
              ),
            },
            { key: "channel", label: t`Channel`, sort: "channel" },
            {
              key: "status",
              label: t`Status`,
              sort: "status",
              cell: (release) => <StatusChip status={release.status} />,
            },
            {
              key: "publishedAt",
              label: t`Published`,
              sort: "publishedAt",
              from: "sm",
              cell: (release) => (release.publishedAt ? dateTime(release.publishedAt) : "—"),
            },
            {
              key: "Files",
              label: t`Files`,
              align: "end",
              from: "sm",
              cell: (release) => <FileCount releaseId={release.id} />,
            },
          ]}
        />
      </DataList>
      {isAdding && <ReleaseDialog productId={product.id} onClose={() => setAdding(false)} />}
    </Column>
  );
}
