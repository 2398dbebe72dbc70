import PersonIcon from "@mui/icons-material/PersonOutlined";
import ListItemIcon from "@mui/material/ListItemIcon";
import ListItemText from "@mui/material/ListItemText";
import MenuItem from "@mui/material/MenuItem";
import { Logout, useGetIdentity, useUserMenu, UserMenu as RaUserMenu } from "react-admin";
import { Link } from "react-router";

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

export function UserMenu() {
  const { identity } = useGetIdentity();
  return (
    <RaUserMenu label={`${identity?.fullName ?? ""} Profile and sign-out`.trim()}>
      <ProfileItem />
      <Logout />
    </RaUserMenu>
  );
}
