import { t } from "@lingui/core/macro";
import Alert from "@mui/material/Alert";
import Button from "@mui/material/Button";
import Dialog from "@mui/material/Dialog";
import DialogActions from "@mui/material/DialogActions";
import DialogContent from "@mui/material/DialogContent";
import DialogTitle from "@mui/material/DialogTitle";
import type { ReactNode } from "react";
import { DownloadIcon } from "./icons";
import { save } from "../api/client";
import { CopyButton } from "./CopyButton";
import { inSentence } from "./labels";
import { Column, Row } from "./layout/layout";
import { Muted } from "./Muted";
import styles from "./secretDialog.module.css";

interface SecretDialogProps {
  title: string;
  label: string;
  secret: string;
  fileName: string;
  onClose: () => void;
  /** Instructions for using the secret. */
  children?: ReactNode;
}

/** Shows a secret once, to copy it first. Only the button closes the dialog. */
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
      <Column gap="l">
        <Alert severity="warning">
          {t`Copy and save the ${{ what: inSentence(label) }} now, for example in your password manager. It will not be shown again.`}
        </Alert>
        <div>
          <Muted>{label}</Muted>
          <Row gap="xs" align="start">
            <pre className={styles.secret} role="region" aria-label={label}>
              {secret}
            </pre>
            <CopyButton value={secret} label={t`Copy ${{ what: inSentence(label) }}`} autoFocus />
          </Row>
        </div>
        {children}
      </Column>
    </DialogContent>
    <DialogActions>
      <Button
        startIcon={<DownloadIcon />}
        onClick={() => save(new Blob([secret, "\n"], { type: "text/plain" }), fileName)}
      >
        {t`Download`}
      </Button>
      <Button variant="contained" onClick={onClose}>
        {t`I've saved it`}
      </Button>
    </DialogActions>
  </Dialog>
);
