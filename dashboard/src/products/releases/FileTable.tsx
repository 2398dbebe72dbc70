import DeleteIcon from "@mui/icons-material/DeleteOutlined";
import DownloadIcon from "@mui/icons-material/Download";
import Box from "@mui/material/Box";
import IconButton from "@mui/material/IconButton";
import Stack from "@mui/material/Stack";
import Tooltip from "@mui/material/Tooltip";
import Typography from "@mui/material/Typography";
import { useNotify } from "ra-core";
import { useState } from "react";
import { DataTable } from "react-admin";
import { api, download } from "../../api/client";
import { asProblem } from "../../api/problem";
import { ConfirmDialog } from "../../ui/ConfirmDialog";
import { CopyButton } from "../../ui/CopyButton";
import { DataList } from "../../ui/DataList";
import { EmptyState } from "../../ui/EmptyState";
import { bytes, dateTime } from "../../ui/formats";
import { useNotifyChanged } from "../../ui/useNotifyChanged";
import type { ReleaseFile } from "./release";

const Column = DataTable.Col<ReleaseFile>;
const MIDDLE = { display: { xs: "none", sm: "table-cell" } };
const WIDE = { display: { xs: "none", md: "table-cell" } };

/** File name; on phones with the data of the hidden columns. */
const FileName = ({ file }: { file: ReleaseFile }) => (
  <Box sx={{ minWidth: 150 }}>
    <Box component="span" dir="auto" sx={{ overflowWrap: "anywhere" }}>
      {file.name}
    </Box>
    <Typography variant="caption" color="textSecondary" sx={{ display: { sm: "none" } }}>
      {" "}
      {file.platform ?? "All platforms"}, {bytes(file.sizeBytes)}
    </Typography>
  </Box>
);

const Sha256 = ({ file }: { file: ReleaseFile }) => (
  <Stack direction="row" sx={{ alignItems: "center", gap: 0.5 }}>
    <code title={file.sha256}>{file.sha256.slice(0, 12)}…</code>
    <CopyButton value={file.sha256} label={`Copy SHA-256 of ${file.name}`} />
  </Stack>
);

/** The files of a release. */
export function FileTable({ releaseId, manage }: { releaseId: string; manage: boolean }) {
  const [deleting, setDeleting] = useState<ReleaseFile | null>(null);
  const notifyChanged = useNotifyChanged();
  const notify = useNotify();
  const save = async (file: ReleaseFile) => {
    try {
      await download(`/api/releases/${releaseId}/files/${file.id}/content`);
    } catch (error) {
      notify(asProblem(error).message, { type: "error" });
    }
  };
  return (
    <>
      <DataList<ReleaseFile>
        resource={`releases/${releaseId}/files`}
        sort={{ field: "name", order: "ASC" }}
        disableSyncWithLocation
        storeKey={false}
        empty={
          <EmptyState title="No files">
            {manage
              ? "Upload the files your users install. Without files, users are only told that an update exists."
              : "No files have been uploaded for this release."}
          </EmptyState>
        }
      >
        <DataTable<ReleaseFile> bulkActionButtons={false} rowClick={false}>
          <Column source="name" label="Name" render={(file) => <FileName file={file} />} />
          <Column
            source="platform"
            label="Platform"
            sx={MIDDLE}
            render={(file) => file.platform ?? "All"}
          />
          <Column
            source="sizeBytes"
            label="Size"
            align="right"
            sx={{ ...MIDDLE, whiteSpace: "nowrap" }}
            render={(file) => bytes(file.sizeBytes)}
          />
          <Column
            source="sha256"
            label="SHA-256"
            disableSort
            sx={WIDE}
            render={(file) => <Sha256 file={file} />}
          />
          <Column
            source="createdAt"
            label="Uploaded"
            sx={WIDE}
            render={(file) => dateTime(file.createdAt)}
          />
          <Column
            source="id"
            label="Actions"
            align="right"
            disableSort
            render={(file) => (
              <Stack direction="row" sx={{ justifyContent: "flex-end" }}>
                <Tooltip title="Download">
                  <IconButton
                    size="small"
                    aria-label={`Download ${file.name}`}
                    onClick={() => void save(file)}
                  >
                    <DownloadIcon fontSize="small" />
                  </IconButton>
                </Tooltip>
                {manage && (
                  <Tooltip title="Delete">
                    <IconButton
                      size="small"
                      aria-label={`Delete ${file.name}`}
                      onClick={() => {
                        setDeleting(file);
                      }}
                    >
                      <DeleteIcon fontSize="small" />
                    </IconButton>
                  </Tooltip>
                )}
              </Stack>
            )}
          />
        </DataTable>
      </DataList>
      {deleting && (
        <ConfirmDialog
          title="Delete file"
          action="Delete file"
          danger
          consequence={`This permanently deletes ${deleting.name}. Applications are no longer offered the file, and new downloads fail.`}
          onConfirm={async () => {
            await api.DELETE("/api/releases/{releaseId}/files/{fileId}", {
              params: { path: { releaseId, fileId: deleting.id } },
            });
            notifyChanged(`${deleting.name} deleted.`);
          }}
          onClose={() => {
            setDeleting(null);
          }}
        />
      )}
    </>
  );
}
