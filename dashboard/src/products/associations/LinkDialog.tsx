import { t } from "@lingui/core/macro";
import Alert from "@mui/material/Alert";
import Button from "@mui/material/Button";
import Dialog from "@mui/material/Dialog";
import DialogActions from "@mui/material/DialogActions";
import DialogContent from "@mui/material/DialogContent";
import DialogTitle from "@mui/material/DialogTitle";
import Typography from "@mui/material/Typography";
import { CopyField } from "../../ui/CopyField";
import { Column } from "../../ui/layout/layout";
import { dateTime } from "../../ui/formats";
import { nameOf, type Association } from "./association";

interface LinkDialogProps {
  association: Association;
  onClose: () => void;
}

const endOf = ({ expiresAt }: Association) => (expiresAt ? dateTime(expiresAt) : "");

/** Shows the link of an invitation, to share if the email does not arrive. */
export const LinkDialog = ({ association, onClose }: LinkDialogProps) => (
  <Dialog open onClose={onClose} aria-labelledby="association-link">
    <DialogTitle id="association-link">
      {t`Invitation for ${{ name: nameOf(association) }}`}
    </DialogTitle>
    <DialogContent>
      <Column gap="l">
        <Alert severity="info">
          {association.email
            ? t`An email with this link goes to ${association.email}.`
            : t`An email with this link goes to the Owners of the institution, if there is one with this ID.`}{" "}
          {t`If this service has no mail server configured, share the link instead.`}
        </Alert>
        <CopyField label={t`Invitation link`} value={association.inviteUrl ?? ""} block />
        <Typography variant="body2" color="textSecondary">
          {t`It works once, until ${{ end: endOf(association) }}.`}{" "}
          {association.email
            ? t`An Owner of any institution can accept with it, so share it privately.`
            : t`Only an Owner of the invited institution can accept with it.`}
        </Typography>
      </Column>
    </DialogContent>
    <DialogActions>
      <Button variant="contained" onClick={onClose}>
        {t`Done`}
      </Button>
    </DialogActions>
  </Dialog>
);
