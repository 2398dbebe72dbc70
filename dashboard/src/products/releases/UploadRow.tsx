import Box from "@mui/material/Box";
import IconButton from "@mui/material/IconButton";
import LinearProgress from "@mui/material/LinearProgress";
import Stack from "@mui/material/Stack";
import Typography from "@mui/material/Typography";
import { CloseIcon } from "../../ui/icons";
import { bytes } from "../../ui/formats";
import { ProblemAlert } from "../../ui/ProblemAlert";
import type { Upload } from "./useUploads";

const PERCENT = new Intl.NumberFormat(undefined, { style: "percent" });

const statusText = ({ state, sentBytes, file }: Upload): string => {
  const share = file.size === 0 ? 0 : sentBytes / file.size;
  switch (state) {
    case "waiting":
      return "Waiting";
    case "sending":
      return share < 1
        ? `${PERCENT.format(share)} of ${bytes(file.size)}`
        : "Processing on the server";
    case "done":
      return `Uploaded, ${bytes(file.size)}`;
    case "refused":
      return "Upload failed";
    case "canceled":
      return "Canceled";
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
  const label = `${isOpen ? "Cancel" : "Dismiss"} upload of ${file.name}`;
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
          aria-label={`Upload of ${file.name}`}
          sx={{ mt: 0.5 }}
        />
      )}
      {problem && <ProblemAlert error={problem} />}
    </Box>
  );
}
