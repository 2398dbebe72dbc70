import DownloadIcon from "@mui/icons-material/Download";
import Alert from "@mui/material/Alert";
import Button from "@mui/material/Button";
import Dialog from "@mui/material/Dialog";
import DialogActions from "@mui/material/DialogActions";
import DialogContent from "@mui/material/DialogContent";
import DialogTitle from "@mui/material/DialogTitle";
import Stack from "@mui/material/Stack";
import type { ReactNode } from "react";
import { save } from "../api/client";
import { CopyField } from "./CopyField";

interface SecretDialogProps {
  title: string;
  label: string;
  secret: string;
  fileName: string;
  onClose: () => void;
  /** What to do with it. */
  children?: ReactNode;
}

/** A secret that is shown this once; only its own button closes the dialog. */
export const SecretDialog = ({
  title,
  label,
  secret,
  fileName,
  onClose,
  children,
}: SecretDialogProps) => (
  <Dialog open aria-labelledby="secret-title">
    <DialogTitle id="secret-title">{title}</DialogTitle>
    <DialogContent>
      <Stack sx={{ gap: 2 }}>
        <Alert severity="warning">
          It is shown this once. Keep it where you keep passwords: nobody can read it here again.
        </Alert>
        <CopyField label={label} value={secret} block />
        {children}
      </Stack>
    </DialogContent>
    <DialogActions>
      <Button
        startIcon={<DownloadIcon />}
        onClick={() => {
          save(new Blob([secret, "\n"], { type: "text/plain" }), fileName);
        }}
      >
        Download
      </Button>
      <Button variant="contained" onClick={onClose}>
        I have kept it
      </Button>
    </DialogActions>
  </Dialog>
);
