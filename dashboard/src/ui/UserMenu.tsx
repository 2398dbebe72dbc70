import { t } from "@lingui/core/macro";
import Button from "@mui/material/Button";
import Divider from "@mui/material/Divider";
import ListItemIcon from "@mui/material/ListItemIcon";
import ListItemText from "@mui/material/ListItemText";
import Menu from "@mui/material/Menu";
import MenuItem from "@mui/material/MenuItem";
import Typography from "@mui/material/Typography";
import { useState } from "react";
import { Link } from "react-router";
import { AccountIcon, HelpIcon, PersonIcon, SignOutIcon } from "./icons";
import { asProblem } from "../api/problem";
import { useInstitution } from "./useInstitution";
import { signOut } from "./signOut";
import { useUpgrade } from "./useUpgrade";
import { notify } from "./toasts/toasts";
import styles from "./userMenu.module.css";

/** Menu of the signed-in user: account and sign-out. */
export function UserMenu() {
  const { profile } = useInstitution();
  const upgrade = useUpgrade();
  const [anchor, setAnchor] = useState<HTMLElement | null>(null);
  const close = () => {
    setAnchor(null);
  };
  const leave = signOutFrom(close);
  const name = profile?.fullName ?? "";
  return (
    <>
      <Button
        color="inherit"
        className={styles.button}
        startIcon={<AccountIcon />}
        aria-haspopup="menu"
        aria-label={name ? t`${name}, your account` : t`Your account`}
        onClick={(event) => {
          setAnchor(event.currentTarget);
        }}
      >
        <span className={styles.name}>{name}</span>
      </Button>
      <Menu anchorEl={anchor} open={anchor !== null} onClose={close} disableScrollLock>
        <Typography
          component="li"
          role="none"
          variant="body2"
          color="textSecondary"
          className={styles.email}
        >
          {profile?.email}
        </Typography>
        <Divider component="li" role="none" />
        <MenuItem component={Link} to="/profile" onClick={close}>
          <ListItemIcon>
            <PersonIcon />
          </ListItemIcon>
          <ListItemText>{t`Profile and security`}</ListItemText>
        </MenuItem>
        <MenuItem component={Link} to="/whats-new" onClick={close}>
          <ListItemIcon>
            <HelpIcon />
          </ListItemIcon>
          <ListItemText
            primary={t`What's new`}
            secondary={upgrade && t`Version ${{ version: upgrade.version }} is available`}
          />
        </MenuItem>
        <MenuItem onClick={() => void leave()}>
          <ListItemIcon>
            <SignOutIcon />
          </ListItemIcon>
          <ListItemText>{t`Sign out`}</ListItemText>
        </MenuItem>
      </Menu>
    </>
  );
}

/** Signs out, or shows an error if the server could not be reached. */
function signOutFrom(close: () => void) {
  return async () => {
    try {
      await signOut();
    } catch (error) {
      close();
      notify(`${t`You are still signed in.`} ${asProblem(error).message}`, { type: "error" });
    }
  };
}
