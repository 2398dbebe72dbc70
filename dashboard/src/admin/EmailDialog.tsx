import { t } from "@lingui/core/macro";
import Alert from "@mui/material/Alert";
import Button from "@mui/material/Button";
import Dialog from "@mui/material/Dialog";
import DialogActions from "@mui/material/DialogActions";
import DialogContent from "@mui/material/DialogContent";
import DialogTitle from "@mui/material/DialogTitle";
import type { Schemas } from "../api/types";
import { CopyButton } from "../ui/CopyButton";
import { dateTime } from "../ui/formats";
import { Column } from "../ui/layout/layout";
import styles from "./admin.module.css";

interface EmailDialogProps {
  mail: Schemas["Mail"];
  onClose: () => void;
}

/** An email as plain text, so that its links are not clickable. */
export const EmailDialog = ({ mail, onClose }: EmailDialogProps) => (
  <Dialog open onClose={onClose} aria-labelledby="letter-title">
    <DialogTitle id="letter-title">{mail.subject}</DialogTitle>
    <DialogContent>
      <Column gap="l">
        <div className={styles.recipient}>
          {t`To ${{ recipient: mail.recipient }}, ${{ moment: dateTime(mail.createdAt) }}`}
        </div>
        <Alert severity="warning">
          {t`Links in this email are for its recipient only: anyone who opens them acts as the recipient.`}
        </Alert>
        <pre className={styles.text}>{mail.text}</pre>
      </Column>
    </DialogContent>
    <DialogActions>
      <CopyButton value={mail.text ?? ""} label={t`Copy email`} />
      <Button variant="contained" onClick={onClose}>
        {t`Close`}
      </Button>
    </DialogActions>
  </Dialog>
);
