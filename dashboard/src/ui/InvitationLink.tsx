import { t } from "@lingui/core/macro";
import Button from "@mui/material/Button";
import Dialog from "@mui/material/Dialog";
import DialogActions from "@mui/material/DialogActions";
import DialogContent from "@mui/material/DialogContent";
import DialogTitle from "@mui/material/DialogTitle";
import type { ReactNode } from "react";
import { Column } from "./layout/layout";
import type { Action } from "./useActions";

interface Invited<T> {
  /** The person it invites. */
  name: string;
  invitation: T;
  hasLink: boolean;
  canResend: boolean;
  /** What they and the user get if it is sent again. */
  consequence: string;
  resend: () => Promise<{ data?: T | undefined }>;
  onShow: (invitation: T) => void;
}

/** Shows the link of an invitation, and sends it again. */
export const linkActions = <T,>(invited: Invited<T>): Action[] => {
  const { name, invitation, hasLink, canResend, consequence, resend, onShow } = invited;
  return [
    {
      label: t`Show link`,
      isOffered: hasLink,
      act: () => onShow(invitation),
    },
    {
      label: t`Resend invitation`,
      isOffered: canResend,
      confirm: {
        title: t`Resend invitation`,
        action: t`Resend`,
        consequence,
        onConfirm: async () => {
          const { data } = await resend();
          if (data) onShow(data);
        },
        done: t`Invitation resent to ${name}.`,
      },
    },
  ];
};

interface LinkDialogProps {
  title: string;
  onClose: () => void;
  children: ReactNode;
}

/** Holds the link of an invitation, to share if the email does not arrive. */
export const LinkDialog = ({ title, onClose, children }: LinkDialogProps) => (
  <Dialog open onClose={onClose} aria-labelledby="invitation-link">
    <DialogTitle id="invitation-link">{title}</DialogTitle>
    <DialogContent>
      <Column gap="l">{children}</Column>
    </DialogContent>
    <DialogActions>
      <Button variant="contained" onClick={onClose}>
        {t`Done`}
      </Button>
    </DialogActions>
  </Dialog>
);
