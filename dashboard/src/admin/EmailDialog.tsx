import { t } from "@lingui/core/macro";
import Alert from "@mui/material/Alert";
import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import Dialog from "@mui/material/Dialog";
import DialogActions from "@mui/material/DialogActions";
import DialogContent from "@mui/material/DialogContent";
import DialogTitle from "@mui/material/DialogTitle";
import Stack from "@mui/material/Stack";
import type { Schemas } from "../api/types";
import { CopyButton } from "../ui/CopyButton";
import { dateTime } from "../ui/formats";

interface EmailDialogProps {
  mail: Schemas["Mail"];
  onClose: () => void;
}

/** An email as plain text, so that its links are not clickable. */
export const EmailDialog = ({ mail, onClose }: EmailDialogProps) => (
  <Dialog open onClose={onClose} aria-labelledby="letter-title">
    <DialogTitle id="letter-title">{mail.subject}</DialogTitle>
    <DialogContent>
      <Stack sx={{ gap: 2 }}>
        <Box sx={{ color: "text.secondary", overflowWrap: "anywhere" }}>
          {t`To ${{ recipient: mail.recipient }}, ${{ moment: dateTime(mail.createdAt) }}`}
        </Box>
        <Alert severity="warning">
          {t`Links in this email are for its recipient only: anyone who opens them acts as that person.`}
        </Alert>
        <Box
          component="pre"
          sx={{
            m: 0,
            p: 1.5,
            borderRadius: 1,
            bgcolor: "background.default",
            whiteSpace: "pre-wrap",
            overflowWrap: "anywhere",
            fontFamily: "inherit",
          }}
        >
          {mail.text}
        </Box>
      </Stack>
    </DialogContent>
    <DialogActions>
      <CopyButton value={mail.text ?? ""} label={t`Copy email`} />
      <Button variant="contained" onClick={onClose}>
        {t`Close`}
      </Button>
    </DialogActions>
  </Dialog>
);
