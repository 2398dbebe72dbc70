import { t } from "@lingui/core/macro";
import Divider from "@mui/material/Divider";
import ListItemIcon from "@mui/material/ListItemIcon";
import ListItemText from "@mui/material/ListItemText";
import Menu from "@mui/material/Menu";
import MenuItem from "@mui/material/MenuItem";
import { Link } from "react-router";
import { HelpIcon, PersonIcon, SignOutIcon } from "./icons";
import { Muted } from "./Muted";
import { leave } from "./signOut";
import { useCustomer, useInstitution } from "./useInstitution";
import styles from "./userMenu.module.css";
import { useUpgrade } from "./useUpgrade";

export interface AccountMenuProps {
  open: boolean;
  anchor: Element | null;
  onClose: () => void;
}

/** What the signed-in user can do with their account. */
export default function AccountMenu({ open, anchor, onClose }: AccountMenuProps) {
  const { profile } = useInstitution();
  const upgrade = useUpgrade();
  const isCustomer = useCustomer();
  return (
    <Menu anchorEl={anchor} open={open} onClose={onClose} disableScrollLock>
      <Muted component="li" role="none" className={styles.email}>
        {profile?.email}
      </Muted>
      <Divider component="li" role="none" />
      <MenuItem component={Link} to="/profile" onClick={onClose}>
        <ListItemIcon>
          <PersonIcon />
        </ListItemIcon>
        <ListItemText>{t`Profile and security`}</ListItemText>
      </MenuItem>
      {!isCustomer && (
        <MenuItem component={Link} to="/whats-new" onClick={onClose}>
          <ListItemIcon>
            <HelpIcon />
          </ListItemIcon>
          <ListItemText
            primary={t`What's new`}
            secondary={upgrade && t`Version ${{ version: upgrade.version }} is available`}
          />
        </MenuItem>
      )}
      <MenuItem onClick={() => void leave().then(onClose)}>
        <ListItemIcon>
          <SignOutIcon />
        </ListItemIcon>
        <ListItemText>{t`Sign out`}</ListItemText>
      </MenuItem>
    </Menu>
  );
}
