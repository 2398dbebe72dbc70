import AddIcon from "@mui/icons-material/Add";
import Button from "@mui/material/Button";
import Link from "@mui/material/Link";
import Skeleton from "@mui/material/Skeleton";
import Stack from "@mui/material/Stack";
import { useState } from "react";
import { DataTable } from "react-admin";
import { Link as RouterLink } from "react-router";
import { $api } from "../../api/client";
import { DataList } from "../../ui/DataList";
import { EmptyState } from "../../ui/EmptyState";
import { dateTime, number } from "../../ui/formats";
import { StatusChip } from "../../ui/StatusChip";
import { TabHeading } from "../parts/TabHeading";
import type { TabProps } from "../parts/TabProps";
import type { Release } from "./release";
import { ReleaseDialog } from "./ReleaseDialog";

const Column = DataTable.Col<Release>;
const WIDE = { display: { xs: "none", sm: "table-cell" } };

function FileCount({ releaseId }: { releaseId: string }) {
  const { data } = $api.useQuery("get", "/api/releases/{releaseId}/files", {
    params: { path: { releaseId }, query: { pageSize: 1 } },
  });
  return data ? number(data.totalCount ?? data.items.length) : <Skeleton width="2ch" />;
}

export function ReleaseList({ product, manage }: TabProps) {
  const [isAdding, setAdding] = useState(false);
  const add = manage && (
    <Button
      variant="contained"
      startIcon={<AddIcon />}
      onClick={() => {
        setAdding(true);
      }}
    >
      Add release
    </Button>
  );
  const pathOf = (release: Release) => `/products/${product.id}/releases/${release.id}`;
  return (
    <Stack sx={{ gap: 1 }}>
      <TabHeading title="Releases" help="releases" action={add}>
        Versions of the product. Applications that check for updates are offered the newest
        published release of their channel.
      </TabHeading>
      <DataList<Release>
        resource={`products/${product.id}/releases`}
        sort={{ field: "createdAt", order: "DESC" }}
        perPage={10}
        empty={
          <EmptyState title="No releases yet" action={add}>
            You need a published release to issue licenses.
          </EmptyState>
        }
      >
        <DataTable<Release>
          bulkActionButtons={false}
          rowClick={(_id, _resource, release) => pathOf(release as Release)}
        >
          <Column
            source="version"
            label="Version"
            render={(release) => (
              <Link
                component={RouterLink}
                to={pathOf(release)}
                underline="hover"
                sx={{ fontWeight: 600, overflowWrap: "anywhere" }}
              >
                {release.version}
              </Link>
            )}
          />
          <Column source="channel" label="Channel" />
          <Column
            source="status"
            label="Status"
            render={(release) => <StatusChip status={release.status} />}
          />
          <Column
            source="publishedAt"
            label="Published"
            sx={WIDE}
            render={(release) => (release.publishedAt ? dateTime(release.publishedAt) : "—")}
          />
          <Column
            source="id"
            label="Files"
            align="right"
            disableSort
            sx={WIDE}
            render={(release) => <FileCount releaseId={release.id} />}
          />
        </DataTable>
      </DataList>
      {isAdding && (
        <ReleaseDialog
          productId={product.id}
          onClose={() => {
            setAdding(false);
          }}
        />
      )}
    </Stack>
  );
}
