import { t } from "@lingui/core/macro";
import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import Popover from "@mui/material/Popover";
import Stack from "@mui/material/Stack";
import Typography from "@mui/material/Typography";
import { Link } from "react-router";
import { BellIcon } from "../ui/icons";
import { $api } from "../api/client";
import { EmptyState } from "../ui/EmptyState";
import { ProblemAlert } from "../ui/ProblemAlert";
import { NotificationItems } from "./NotificationItems";
import { useMarkAsRead } from "./useNotifications";

const SHOWN = 6;

interface NotificationPopoverProps {
  anchor: HTMLElement;
  unread: number;
  onClose: () => void;
}

function LatestNotifications({ onClose }: { onClose: () => void }) {
  const { data, error, refetch } = $api.useQuery("get", "/api/notifications", {
    params: { query: { pageSize: SHOWN } },
  });
  const { read } = useMarkAsRead();
  if (error)
    return (
      <Box sx={{ p: 2 }}>
        <ProblemAlert error={error} retry={() => void refetch()} />
      </Box>
    );
  if (data?.items.length === 0)
    return (
      <EmptyState icon={<BellIcon />} title={t`No notifications`}>
        {t`You will see here what may need your attention, such as expiring licenses or devices waiting for approval.`}
      </EmptyState>
    );
  return <NotificationItems items={data?.items} onRead={(id) => void read(id)} onLeave={onClose} />;
}

/** Popover with the latest notifications and a link to all of them. */
export default function NotificationPopover({ anchor, unread, onClose }: NotificationPopoverProps) {
  const { readAll } = useMarkAsRead();
  return (
    <Popover
      open
      anchorEl={anchor}
      onClose={onClose}
      anchorOrigin={{ vertical: "bottom", horizontal: "right" }}
      transformOrigin={{ vertical: "top", horizontal: "right" }}
      slotProps={{
        paper: {
          role: "dialog",
          "aria-label": t`Latest notifications`,
          sx: {
            width: 420,
            maxWidth: "calc(100vw - 24px)",
            display: "flex",
            flexDirection: "column",
          },
        },
      }}
    >
      <Stack
        direction="row"
        sx={{ alignItems: "center", gap: 1, px: 2, py: 1, borderBottom: 1, borderColor: "divider" }}
      >
        <Typography variant="h6" component="h2" sx={{ flex: 1 }}>
          {t`Notifications`}
        </Typography>
        {unread > 0 && (
          <Button size="small" onClick={() => void readAll()}>
            {t`Mark all as read`}
          </Button>
        )}
      </Stack>
      <Box sx={{ overflowY: "auto", maxHeight: "min(60vh, 520px)" }}>
        <LatestNotifications onClose={onClose} />
      </Box>
      <Stack
        direction="row"
        sx={{ justifyContent: "space-between", p: 1, borderTop: 1, borderColor: "divider" }}
      >
        <Button component={Link} to="/notifications" onClick={onClose}>
          {t`See all`}
        </Button>
        <Button component={Link} to="/notifications/preferences" onClick={onClose}>
          {t`Preferences`}
        </Button>
      </Stack>
    </Popover>
  );
}
