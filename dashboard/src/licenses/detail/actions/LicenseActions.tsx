import { t } from "@lingui/core/macro";
import Button from "@mui/material/Button";
import Menu from "@mui/material/Menu";
import MenuItem from "@mui/material/MenuItem";
import useMediaQuery from "@mui/material/useMediaQuery";
import type { Theme } from "@mui/material/styles";
import { useState, type ComponentType } from "react";
import { ExpandIcon } from "../../../ui/icons";
import type { License } from "../../../api/types";
import styles from "./actions.module.css";
import { availableActions, labelOf, type Action } from "./available";
import { ConvertDialog } from "./ConvertDialog";
import { DeleteDialog } from "./DeleteDialog";
import type { LicenseDialogProps } from "./dialog";
import { EditDialog } from "./EditDialog";
import { ReinstateDialog } from "./ReinstateDialog";
import { RestoreDialog } from "./RestoreDialog";
import { RevokeDialog } from "./RevokeDialog";
import { SendDialog } from "./SendDialog";
import { SuspendDialog } from "./SuspendDialog";
import { TermDialog } from "./TermDialog";

const DIALOGS: Record<Action, ComponentType<LicenseDialogProps>> = {
  edit: EditDialog,
  term: TermDialog,
  send: SendDialog,
  reinstate: ReinstateDialog,
  restore: RestoreDialog,
  suspend: SuspendDialog,
  convert: ConvertDialog,
  revoke: RevokeDialog,
  delete: DeleteDialog,
};

const DESTRUCTIVE: readonly Action[] = ["revoke", "delete"];

/** Actions on the license: two buttons and a menu; on phones only the menu. */
export function LicenseActions({ license }: { license: License }) {
  const isPhone = useMediaQuery((theme: Theme) => theme.breakpoints.down("sm"));
  const [open, setOpen] = useState<Action | null>(null);
  const actions = availableActions(license);
  const shown = isPhone
    ? []
    : actions.slice(0, 2).filter((action) => !DESTRUCTIVE.includes(action));
  const Dialog = open && DIALOGS[open];
  return (
    <>
      {shown.map((action, place) => (
        <Button
          key={action}
          variant={place === 0 && action !== "edit" ? "contained" : "outlined"}
          onClick={() => setOpen(action)}
        >
          {labelOf(action, license)}
        </Button>
      ))}
      <ActionMenu
        license={license}
        label={isPhone ? t`Actions` : t`More`}
        actions={actions.filter((action) => !shown.includes(action))}
        onChoose={setOpen}
      />
      {Dialog && <Dialog license={license} onClose={() => setOpen(null)} />}
    </>
  );
}

interface ActionMenuProps {
  license: License;
  label: string;
  actions: Action[];
  onChoose: (action: Action) => void;
}

function ActionMenu({ license, label, actions, onChoose }: ActionMenuProps) {
  const [anchor, setAnchor] = useState<HTMLElement | null>(null);
  const close = () => setAnchor(null);
  return (
    <>
      <Button
        variant="outlined"
        endIcon={<ExpandIcon />}
        aria-haspopup="menu"
        aria-expanded={anchor !== null}
        onClick={(event) => setAnchor(event.currentTarget)}
      >
        {label}
      </Button>
      <Menu open={anchor !== null} anchorEl={anchor} onClose={close}>
        {actions.map((action) => (
          <MenuItem
            key={action}
            className={
              DESTRUCTIVE.includes(action) ? `${styles.action} ${styles.danger}` : styles.action
            }
            onClick={() => {
              close();
              onChoose(action);
            }}
          >
            {labelOf(action, license)}
          </MenuItem>
        ))}
      </Menu>
    </>
  );
}
