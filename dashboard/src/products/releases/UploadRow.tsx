import { t } from "@lingui/core/macro";
import Box from "@mui/material/Box";
import IconButton from "@mui/material/IconButton";
import LinearProgress from "@mui/material/LinearProgress";
import Stack from "@mui/material/Stack";
import Typography from "@mui/material/Typography";
import { CloseIcon } from "../../ui/icons";
import { bytes, percent } from "../../ui/formats";
import { ProblemAlert } from "../../ui/ProblemAlert";
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
    <Box component="li" sx={{ py: 1 }}>
      <Stack direction="row" sx={{ gap: 1, alignItems: "center" }}>
        <Box sx={{ flex: 1, minWidth: 0 }}>
          <Typography sx={{ overflowWrap: "anywhere", fontWeight: 600 }} dir="auto">
            {file.name}
          </Typography>
          <Typography variant="body2" color="textSecondary" {...(!isOpen && { role: "status" })}>
            {platform && `${platform} · `}
            {statusText(upload)}
          </Typography>
        </Box>
        <IconButton size="small" aria-label={label} onClick={isOpen ? onCancel : onDismiss}>
          <CloseIcon />
        </IconButton>
      </Stack>
      {state === "sending" && (
        <LinearProgress
          variant={sentBytes < file.size ? "determinate" : "indeterminate"}
          value={file.size === 0 ? 0 : (100 * sentBytes) / file.size}
          aria-label={t`Upload of ${file.name}`}
          sx={{ mt: 0.5 }}
        />
      )}
      {problem && <ProblemAlert error={problem} />}
    </Box>
  );
}
