import { t } from "@lingui/core/macro";
import Button from "@mui/material/Button";
import Popover from "@mui/material/Popover";
import Typography from "@mui/material/Typography";
import { BellIcon } from "../ui/icons";
import { $api } from "../api/client";
import { EmptyState } from "../ui/EmptyState";
import { Row } from "../ui/layout/layout";
import { ButtonLink } from "../ui/PageLink";
import { ProblemAlert } from "../ui/ProblemAlert";
import { NotificationItems } from "./NotificationItems";
import styles from "./notifications.module.css";
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
      <div className={styles.problem}>
        <ProblemAlert error={error} retry={() => void refetch()} />
      </div>
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
          className: styles.popover,
        },
      }}
    >
      <Row gap="s" place="apart" className={styles.header}>
        <Typography variant="h6" component="h2">
          {t`Notifications`}
        </Typography>
        {unread > 0 && (
          <Button size="small" onClick={() => void readAll()}>
            {t`Mark all as read`}
          </Button>
        )}
      </Row>
      <div className={styles.latest}>
        <LatestNotifications onClose={onClose} />
      </div>
      <Row place="apart" className={styles.footer}>
        <ButtonLink to="/notifications" onClick={onClose}>
          {t`See all`}
        </ButtonLink>
        <ButtonLink to="/notifications/preferences" onClick={onClose}>
          {t`Preferences`}
        </ButtonLink>
      </Row>
    </Popover>
  );
}
