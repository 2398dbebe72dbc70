import { t } from "@lingui/core/macro";
import Badge from "@mui/material/Badge";
import IconButton from "@mui/material/IconButton";
import Tooltip from "@mui/material/Tooltip";
import { Suspense, useState } from "react";
import { BellIcon } from "../ui/icons";
import { $api } from "../api/client";
import { lazy } from "../ui/lazy";

const NotificationPopover = lazy(() => import("./NotificationPopover"));
const NotificationStream = lazy(() => import("./NotificationStream"));

/** Button with the live unread count, which opens the latest notifications. */
export function NotificationBell() {
  const { data } = $api.useQuery("get", "/api/notifications/unread-count");
  const [anchor, setAnchor] = useState<HTMLElement | null>(null);
  const label = data?.unread
    ? t`Notifications, ${{ count: data.unread }} unread`
    : t`Notifications`;
  return (
    <>
      <Tooltip title={label}>
        <IconButton
          color="inherit"
          aria-label={label}
          aria-haspopup="dialog"
          aria-expanded={anchor !== null}
          onClick={(event) => setAnchor(event.currentTarget)}
        >
          <Badge badgeContent={data?.unread || null} color="error">
            <BellIcon />
          </Badge>
        </IconButton>
      </Tooltip>
      <Suspense fallback={null}>
        <NotificationStream />
        {anchor && (
          <NotificationPopover
            anchor={anchor}
            unread={data?.unread ?? 0}
            onClose={() => setAnchor(null)}
          />
        )}
      </Suspense>
    </>
  );
}
