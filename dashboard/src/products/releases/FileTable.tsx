import { t } from "@lingui/core/macro";
import IconButton from "@mui/material/IconButton";
import Tooltip from "@mui/material/Tooltip";
import Typography from "@mui/material/Typography";
import { useState } from "react";
import { DeleteIcon, DownloadIcon } from "../../ui/icons";
import { Table } from "../../ui/table/Table";
import { api, download } from "../../api/client";
import { asProblem } from "../../api/problem";
import { ConfirmDialog } from "../../ui/ConfirmDialog";
import { CopyButton } from "../../ui/CopyButton";
import { DataList } from "../../ui/list/DataList";
import { EmptyState } from "../../ui/EmptyState";
import { Row } from "../../ui/layout/layout";
import { bytes, dateTime } from "../../ui/formats";
import { useNotifyChanged } from "../../ui/useNotifyChanged";
import type { ReleaseFile } from "./release";
import styles from "./releases.module.css";
import { notify } from "../../ui/toasts/toasts";

/** File name; on phones with the data of the hidden columns. */
const FileName = ({ file }: { file: ReleaseFile }) => (
  <div className={styles.fileName}>
    <span dir="auto">{file.name}</span>
    <Typography variant="caption" color="textSecondary" className={styles.facts}>
      {" "}
      {file.platform ?? t`All platforms`}, {bytes(file.sizeBytes)}
    </Typography>
  </div>
);

const Sha256 = ({ file }: { file: ReleaseFile }) => (
  <Row gap="xs">
    <code title={file.sha256}>{file.sha256.slice(0, 12)}…</code>
    <CopyButton value={file.sha256} label={t`Copy SHA-256 of ${file.name}`} />
  </Row>
);

/** The files of a release. */
export function FileTable({ releaseId, manage }: { releaseId: string; manage: boolean }) {
  const [deleting, setDeleting] = useState<ReleaseFile | null>(null);
  const notifyChanged = useNotifyChanged();
  const save = async (file: ReleaseFile) => {
    try {
      await download(`/api/releases/${releaseId}/files/${file.id}/content`);
    } catch (error) {
      notify(asProblem(error).message, { type: "error" });
    }
  };
  return (
    <>
      <DataList
        path={`releases/${releaseId}/files`}
        sort="name"
        inUrl={false}
        empty={
          <EmptyState title={t`No files`}>
            {manage
              ? t`Upload the files your users install. Without files, users are only told that an update exists.`
              : t`No files have been uploaded for this release.`}
          </EmptyState>
        }
      >
        <Table<ReleaseFile>
          label={t`Files`}
          columns={[
            { key: "name", label: t`Name`, sort: "name", cell: (file) => <FileName file={file} /> },
            {
              key: "platform",
              label: t`Platform`,
              sort: "platform",
              from: "sm",
              cell: (file) => file.platform ?? t`All`,
            },
            {
              key: "sizeBytes",
              label: t`Size`,
              sort: "sizeBytes",
              align: "end",
              from: "sm",
              fits: true,
              cell: (file) => bytes(file.sizeBytes),
            },
            {
              key: "sha256",
              label: "SHA-256",
              from: "md",
              cell: (file) => <Sha256 file={file} />,
            },
            {
              key: "createdAt",
              label: t`Uploaded`,
              sort: "createdAt",
              from: "md",
              cell: (file) => dateTime(file.createdAt),
            },
            {
              key: "Actions",
              label: t`Actions`,
              isUnlabeled: true,
              align: "end",
              cell: (file) => (
                <Row place="atEnd">
                  <Tooltip title={t`Download`}>
                    <IconButton
                      size="small"
                      aria-label={t`Download ${file.name}`}
                      onClick={() => void save(file)}
                    >
                      <DownloadIcon />
                    </IconButton>
                  </Tooltip>
                  {manage && (
                    <Tooltip title={t`Delete`}>
                      <IconButton
                        size="small"
                        aria-label={t`Delete ${file.name}`}
                        onClick={() => setDeleting(file)}
                      >
                        <DeleteIcon />
                      </IconButton>
                    </Tooltip>
                  )}
                </Row>
              ),
            },
          ]}
        />
      </DataList>
      {deleting && (
        <ConfirmDialog
          title={t`Delete file`}
          action={t`Delete file`}
          danger
          consequence={t`This permanently deletes ${deleting.name}. Applications are no longer offered the file, and new downloads fail.`}
          onConfirm={async () => {
            await api.DELETE("/api/releases/{releaseId}/files/{fileId}", {
              params: { path: { releaseId, fileId: deleting.id } },
            });
            notifyChanged(t`${deleting.name} deleted.`);
          }}
          onClose={() => setDeleting(null)}
        />
      )}
    </>
  );
}
