import Alert from "@mui/material/Alert";
import Button from "@mui/material/Button";
import Dialog from "@mui/material/Dialog";
import DialogActions from "@mui/material/DialogActions";
import DialogContent from "@mui/material/DialogContent";
import DialogTitle from "@mui/material/DialogTitle";
import Stack from "@mui/material/Stack";
import Typography from "@mui/material/Typography";
import { CopyField } from "../../ui/CopyField";
import { dateTime } from "../../ui/formats";
import type { Invitation } from "./invitation";
import { Letter } from "./Letter";

/** The link of an invitation, to hand over where no letter arrives. */
export const LinkDialog = ({
  invitation,
  onClose,
}: {
  invitation: Invitation;
  onClose: () => void;
}) => (
  <Dialog open onClose={onClose} aria-labelledby="invitation-link">
    <DialogTitle id="invitation-link" sx={{ overflowWrap: "anywhere" }}>
      Invitation of {invitation.email}
    </DialogTitle>
    <DialogContent>
      <Stack sx={{ gap: 2 }}>
        <Letter invitation={invitation} />
        {invitation.acceptUrl ? (
          <>
            <CopyField label="Link to hand over" value={invitation.acceptUrl} block />
            <Typography variant="body2" color="textSecondary">
              It works once, until {dateTime(invitation.expiresAt)}. Whoever has it becomes{" "}
              {invitation.role} under this address: hand it over where nobody else reads it.
            </Typography>
          </>
        ) : (
          <Alert severity="info">
            There is no link to hand over. It is shown to those who may give this role, while the
            invitation is pending; resending it makes a new one.
          </Alert>
        )}
      </Stack>
    </DialogContent>
    <DialogActions>
      <Button variant="contained" onClick={onClose}>
        Done
      </Button>
    </DialogActions>
  </Dialog>
);
