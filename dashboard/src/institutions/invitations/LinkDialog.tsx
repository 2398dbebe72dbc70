import { t } from "@lingui/core/macro";
import Alert from "@mui/material/Alert";
import Button from "@mui/material/Button";
import Dialog from "@mui/material/Dialog";
import DialogActions from "@mui/material/DialogActions";
import DialogContent from "@mui/material/DialogContent";
import DialogTitle from "@mui/material/DialogTitle";
import Typography from "@mui/material/Typography";
import { CopyField } from "../../ui/CopyField";
import { dateTime } from "../../ui/formats";
import { Column } from "../../ui/layout/layout";
import { ROLE_LABELS } from "../../ui/labels";
import type { Invitation } from "./invitation";
import { InvitationEmailStatus } from "./InvitationEmailStatus";

/** Shows the invitation link, to share if the email does not arrive. */
export const LinkDialog = ({
  invitation,
  onClose,
}: {
  invitation: Invitation;
  onClose: () => void;
}) => (
  <Dialog open onClose={onClose} aria-labelledby="invitation-link">
    <DialogTitle id="invitation-link">
      {t`Invitation for ${{ email: invitation.email }}`}
    </DialogTitle>
    <DialogContent>
      <Column gap="l">
        <InvitationEmailStatus invitation={invitation} />
        {invitation.acceptUrl ? (
          <>
            <CopyField label={t`Invitation link`} value={invitation.acceptUrl} block />
            <Typography variant="body2" color="textSecondary">
              {t`It works once, until ${{ end: dateTime(invitation.expiresAt) }}. Anyone who has it can join as ${{ role: ROLE_LABELS[invitation.role] }} with this email address, so share it privately.`}
            </Typography>
          </>
        ) : (
          <Alert severity="info">
            {t`The link is not available. It is shown only while the invitation is pending, and only to users who may assign this role. Resend the invitation to create a new link.`}
          </Alert>
        )}
      </Column>
    </DialogContent>
    <DialogActions>
      <Button variant="contained" onClick={onClose}>
        {t`Done`}
      </Button>
    </DialogActions>
  </Dialog>
);
