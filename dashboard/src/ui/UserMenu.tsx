import { t } from "@lingui/core/macro";
import Box from "@mui/material/Box";
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
        startIcon={<AccountIcon />}
        aria-haspopup="menu"
        aria-label={name ? t`${name}, your account` : t`Your account`}
        onClick={(event) => {
          setAnchor(event.currentTarget);
        }}
        sx={{
          minWidth: 40,
          px: 1,
          "& .MuiButton-startIcon": { mx: { xs: 0, sm: undefined }, mr: { sm: 1 } },
        }}
      >
        <Box
          component="span"
          sx={{
            display: { xs: "none", sm: "inline" },
            maxWidth: 180,
            overflow: "hidden",
            textOverflow: "ellipsis",
            whiteSpace: "nowrap",
          }}
        >
          {name}
        </Box>
      </Button>
      <Menu anchorEl={anchor} open={anchor !== null} onClose={close} disableScrollLock>
        <Typography
          component="li"
          role="none"
          variant="body2"
          color="textSecondary"
          sx={{ px: 2, py: 0.75, maxWidth: 280, overflowWrap: "anywhere" }}
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
