import PersonIcon from "@mui/icons-material/PersonOutlined";
import LogoutIcon from "@mui/icons-material/LogoutOutlined";
import Divider from "@mui/material/Divider";
import ListItemIcon from "@mui/material/ListItemIcon";
import ListItemText from "@mui/material/ListItemText";
import MenuItem from "@mui/material/MenuItem";
import Typography from "@mui/material/Typography";
import { useGetIdentity, useLogout, useNotify } from "ra-core";
import { useUserMenu, UserMenu as RaUserMenu } from "react-admin";
import { Link } from "react-router";
import { asProblem } from "../api/problem";
import { useInstitution } from "./useInstitution";

function WhoItem() {
  const { profile } = useInstitution();
  return (
    <Typography
      component="li"
      role="none"
      variant="body2"
      color="textSecondary"
      sx={{ px: 2, py: 0.75, maxWidth: 280, overflowWrap: "anywhere" }}
    >
      {profile?.email}
    </Typography>
  );
}

function ProfileItem() {
  const menu = useUserMenu();
  return (
    <MenuItem component={Link} to="/profile" onClick={menu?.onClose}>
      <ListItemIcon>
        <PersonIcon fontSize="small" />
      </ListItemIcon>
      <ListItemText>Profile and security</ListItemText>
    </MenuItem>
  );
}

function SignOutItem() {
  const menu = useUserMenu();
  const logout = useLogout();
  const notify = useNotify();
  const signOut = async () => {
    try {
      await logout({}, undefined, false);
    } catch (refusal) {
      menu?.onClose();
      notify(`You are still signed in. ${asProblem(refusal).message}`, { type: "error" });
    }
  };
  return (
    <MenuItem onClick={() => void signOut()}>
      <ListItemIcon>
        <LogoutIcon fontSize="small" />
      </ListItemIcon>
      <ListItemText>Sign out</ListItemText>
    </MenuItem>
  );
}

export function UserMenu() {
  const { identity } = useGetIdentity();
  return (
    <RaUserMenu label={`${identity?.fullName ?? ""} Profile and sign-out`.trim()}>
      <WhoItem />
      <Divider component="li" role="none" />
      <ProfileItem />
      <SignOutItem />
    </RaUserMenu>
  );
}
