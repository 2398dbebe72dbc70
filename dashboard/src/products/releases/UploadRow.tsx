import { t } from "@lingui/core/macro";
import IconButton from "@mui/material/IconButton";
import LinearProgress from "@mui/material/LinearProgress";
import Typography from "@mui/material/Typography";
import { CloseIcon } from "../../ui/icons";
import { bytes, percent } from "../../ui/formats";
import { Row } from "../../ui/layout/layout";
import { ProblemAlert } from "../../ui/ProblemAlert";
import styles from "./releases.module.css";
import type { Upload } from "./useUploads";

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
export function UploadRow({ upload, onCancel, onDismiss }: UploadRowProps) {
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
          <Typography variant="body2" color="textSecondary" {...(!isOpen && { role: "status" })}>
            {platform && `${platform} · `}
            {statusText(upload)}
          </Typography>
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
