import { t } from "@lingui/core/macro";
import Autocomplete from "@mui/material/Autocomplete";
import Button from "@mui/material/Button";
import IconButton from "@mui/material/IconButton";
import LinearProgress from "@mui/material/LinearProgress";
import TextField from "@mui/material/TextField";
import Typography from "@mui/material/Typography";
import { useRef, useState } from "react";
import { api, download, at } from "../../api/client";
import { asProblem } from "../../api/problem";
import { ConfirmDialog } from "../../ui/ConfirmDialog";
import { CopyButton } from "../../ui/CopyButton";
import { EmptyState } from "../../ui/EmptyState";
import { bytes, percent } from "../../ui/formats";
import { CloseIcon, UploadIcon } from "../../ui/icons";
import { Column, Row } from "../../ui/layout/layout";
import { DataList } from "../../ui/list/DataList";
import { Muted } from "../../ui/Muted";
import { ProblemAlert } from "../../ui/ProblemAlert";
import { Section } from "../../ui/Section";
import { actionsColumn } from "../../ui/table/cells";
import { RowMenu } from "../../ui/table/RowMenu";
import { Table } from "../../ui/table/Table";
import { notify } from "../../ui/toasts/toasts";
import { UnsavedGuard } from "../../ui/UnsavedGuard";
import { useDropTarget } from "../../ui/useDropTarget";
import { useRefresh } from "../../ui/useNotifyChanged";
import type { Release, ReleaseFile } from "./release";
import styles from "./releases.module.css";
import { type Upload, useUploads } from "./useUploads";

/** The files of a release, with uploads. */
export function FilesSection({ release, manage }: { release: Release; manage: boolean }) {
  const refresh = useRefresh();
  const { uploads, isBusy, add, cancel, dismiss } = useUploads(release.id, refresh);
  return (
    <Section title={t`Files`} help="releases">
      <Column gap="l">
        <FileTable releaseId={release.id} manage={manage} />
        {manage && <UploadArea onFiles={add} />}
        {uploads.length > 0 && (
          <Column as="ul" aria-label={t`Uploads`}>
            {uploads.map((item) => (
              <UploadRow
                key={item.id}
                upload={item}
                onCancel={() => cancel(item)}
                onDismiss={() => dismiss(item)}
              />
            ))}
          </Column>
        )}
      </Column>
      <UnsavedGuard
        when={isBusy}
        title={t`Leave while files are uploading?`}
        consequence={t`Unfinished uploads are canceled when you leave.`}
        action={t`Leave and cancel`}
      />
    </Section>
  );
}

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
function FileTable({ releaseId, manage }: { releaseId: string; manage: boolean }) {
  const [deleting, setDeleting] = useState<ReleaseFile | null>(null);
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
              ? t`Upload the files your users install. Without files, users only learn that an update exists.`
              : t`No files have been uploaded for this release.`}
          </EmptyState>
        }
      >
        <Table<ReleaseFile>
          label={t`Files`}
          columns={[
            { key: "name", label: t`Name`, sort: true, cell: (file) => <FileName file={file} /> },
            {
              key: "platform",
              label: t`Platform`,
              sort: true,
              cell: (file) => file.platform ?? t`All`,
            },
            {
              key: "sizeBytes",
              label: t`Size`,
              sort: true,
              align: "end",
              fits: true,
              cell: (file) => bytes(file.sizeBytes),
            },
            {
              key: "sha256",
              label: "SHA-256",
              cell: (file) => <Sha256 file={file} />,
            },
            { key: "createdAt", label: t`Uploaded`, sort: true, as: "dateTime" },
            actionsColumn((file) => (
              <RowMenu
                name={file.name}
                acts={[
                  { label: t`Download`, act: () => void save(file) },
                  ...(manage
                    ? [{ label: t`Delete`, isGrave: true, act: () => setDeleting(file) }]
                    : []),
                ]}
              />
            )),
          ]}
        />
      </DataList>
      {deleting && (
        <ConfirmDialog
          title={t`Delete file`}
          action={t`Delete file`}
          danger
          consequence={t`This permanently deletes ${deleting.name}. Applications are no longer offered the file, and new downloads fail.`}
          onConfirm={() =>
            api.DELETE(
              "/api/releases/{releaseId}/files/{fileId}",
              at({ releaseId, fileId: deleting.id }),
            )
          }
          done={t`${deleting.name} deleted.`}
          onClose={() => setDeleting(null)}
        />
      )}
    </>
  );
}

const PLATFORMS = [
  "windows-x64",
  "windows-arm64",
  "macos-arm64",
  "macos-x64",
  "linux-x64",
  "linux-arm64",
];

/** Drop zone and file picker for uploads, with the platform of the files. */
function UploadArea({ onFiles }: { onFiles: (files: File[], platform: string) => void }) {
  const input = useRef<HTMLInputElement>(null);
  const [platform, setPlatform] = useState("");
  const take = (files: FileList | null) => {
    if (files?.length) onFiles([...files], platform.trim());
  };
  const target = useDropTarget(({ files }) => take(files));
  return (
    <Column gap="l">
      <Autocomplete
        freeSolo
        options={PLATFORMS}
        inputValue={platform}
        onInputChange={(_, value) => setPlatform(value)}
        className={styles.platform}
        renderInput={(props) => (
          <TextField
            {...props}
            label={t`Platform`}
            helperText={t`For the files you add next. Leave empty for all platforms.`}
          />
        )}
      />
      <div className={styles.area} {...target}>
        <Typography>{t`Drop files here, or`}</Typography>
        <Button
          variant="outlined"
          startIcon={<UploadIcon />}
          onClick={() => input.current?.click()}
        >
          {t`Choose files`}
        </Button>
        <input
          ref={input}
          type="file"
          multiple
          hidden
          aria-label={t`Choose files`}
          onChange={(event) => {
            take(event.target.files);
            event.target.value = "";
          }}
        />
        <Muted>
          {t`Uploads start immediately, one at a time. The server computes the SHA-256 of each file.`}
        </Muted>
      </div>
    </Column>
  );
}

const statusText = ({ state, sentBytes, file }: Upload): string => {
  const share = file.size === 0 ? 0 : sentBytes / file.size;
  switch (state) {
    case "waiting":
      return t`Waiting`;
    case "sending":
      return share < 1
        ? t`${{ share: percent(Math.round(100 * share) / 100) }} of ${{ size: bytes(file.size) }}`
        : t`Processing on the server`;
    case "done":
      return t`Uploaded, ${bytes(file.size)}`;
    case "refused":
      return t`Upload failed`;
    case "canceled":
      return t`Canceled`;
  }
};

interface UploadRowProps {
  upload: Upload;
  onCancel: () => void;
  onDismiss: () => void;
}

/** Progress and result of an upload. */
function UploadRow({ upload, onCancel, onDismiss }: UploadRowProps) {
  const { file, platform, state, sentBytes, problem } = upload;
  const isOpen = state === "waiting" || state === "sending";
  const label = isOpen ? t`Cancel upload of ${file.name}` : t`Dismiss upload of ${file.name}`;
  return (
    <li className={styles.upload}>
      <Row gap="s">
        <div className={styles.file}>
          <Typography variant="subtitle1" component="p" dir="auto">
            {file.name}
          </Typography>
          <Muted {...(!isOpen && { role: "status" })}>
            {platform && `${platform} · `}
            {statusText(upload)}
          </Muted>
        </div>
        <IconButton size="small" aria-label={label} onClick={isOpen ? onCancel : onDismiss}>
          <CloseIcon />
        </IconButton>
      </Row>
      {state === "sending" && (
        <LinearProgress
          variant={sentBytes < file.size ? "determinate" : "indeterminate"}
          value={file.size === 0 ? 0 : (100 * sentBytes) / file.size}
          aria-label={t`Upload of ${file.name}`}
          className={styles.progress}
        />
      )}
      {problem && <ProblemAlert error={problem} />}
    </li>
  );
}
