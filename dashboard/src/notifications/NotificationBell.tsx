import NotificationsIcon from "@mui/icons-material/NotificationsOutlined";
import Badge from "@mui/material/Badge";
import IconButton from "@mui/material/IconButton";
import Tooltip from "@mui/material/Tooltip";
import { Link } from "react-router";
import { $api } from "../api/client";

export function NotificationBell() {
  const { data } = $api.useQuery("get", "/api/notifications/unread-count");
  const label = data?.unread ? `Notifications, ${String(data.unread)} unread` : "Notifications";
  return (
    <Tooltip title={label}>
      <IconButton component={Link} to="/notifications" color="inherit" aria-label={label}>
        <Badge badgeContent={data?.unread || null} color="error">
          <NotificationsIcon />
        </Badge>
      </IconButton>
    </Tooltip>
  );
}
