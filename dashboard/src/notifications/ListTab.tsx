import { t } from "@lingui/core/macro";
import Button from "@mui/material/Button";
import Card from "@mui/material/Card";
import ToggleButton from "@mui/material/ToggleButton";
import ToggleButtonGroup from "@mui/material/ToggleButtonGroup";
import { keepPreviousData } from "@tanstack/react-query";
import { useState } from "react";
import { Link, useSearchParams } from "react-router";
import { BellIcon, CheckAllIcon } from "../ui/icons";
import { $api } from "../api/client";
import { EmptyState } from "../ui/EmptyState";
import { Row } from "../ui/layout/layout";
import { Pages, usePageNumber } from "../ui/Pages";
import { ProblemAlert } from "../ui/ProblemAlert";
import { useCan } from "../ui/useInstitution";
import { NotificationItems } from "./NotificationItems";
import styles from "./notifications.module.css";
import { useMarkAsRead } from "./useNotifications";

const PAGE_SIZE = 25;

function Nothing({ isUnreadOnly }: { isUnreadOnly: boolean }) {
  const { manage } = useCan();
  const icon = <BellIcon color="var(--faded)" />;
  if (isUnreadOnly)
    return (
      <EmptyState
        icon={icon}
        title={t`You're all caught up`}
        action={
          <Button component={Link} to="/notifications">
            {t`Show all`}
          </Button>
        }
      >
        {t`New notifications appear here automatically.`}
      </EmptyState>
    );
  return (
    <EmptyState
      icon={icon}
      title={t`No notifications yet`}
      action={
        <Button component={Link} to="/notifications/preferences">
          {t`Choose your notifications`}
        </Button>
      }
    >
      {manage
        ? t`Expiring licenses, devices waiting for approval, low balances: what may need your attention appears here.`
        : t`Owners and Admins are notified about licenses and devices. You are notified about invitations.`}
    </EmptyState>
  );
}

function MarkAll({ disabled }: { disabled: boolean }) {
  const { readAll } = useMarkAsRead();
  const [busy, setBusy] = useState(false);
  return (
    <Button
      startIcon={<CheckAllIcon />}
      loading={busy}
      disabled={disabled}
      onClick={() => {
        setBusy(true);
        void readAll().finally(() => setBusy(false));
      }}
    >
      {t`Mark all as read`}
    </Button>
  );
}

/** The user's notifications, newest first. The filter is stored in the URL. */
export function ListTab() {
  const [search, setSearch] = useSearchParams();
  const page = usePageNumber();
  const isUnreadOnly = search.get("unread") === "true";
  const { data, error, refetch } = $api.useQuery(
    "get",
    "/api/notifications",
    { params: { query: { page, pageSize: PAGE_SIZE, ...(isUnreadOnly && { unread: true }) } } },
    { placeholderData: keepPreviousData },
  );
  const { data: count } = $api.useQuery("get", "/api/notifications/unread-count");
  const { read } = useMarkAsRead();
  return (
    <>
      <Row gap="s" wraps className={styles.filter}>
        <ToggleButtonGroup
          exclusive
          value={isUnreadOnly ? "unread" : "all"}
          aria-label={t`Filter notifications`}
          onChange={(_, chosen: string | null) => {
            if (chosen) setSearch(chosen === "unread" ? { unread: "true" } : {});
          }}
        >
          <ToggleButton value="all">{t`All`}</ToggleButton>
          <ToggleButton value="unread">{t`Unread`}</ToggleButton>
        </ToggleButtonGroup>
        <div className={styles.atEnd}>
          <MarkAll disabled={!count?.unread} />
        </div>
      </Row>
      {error ? (
        <ProblemAlert error={error} retry={() => void refetch()} />
      ) : (
        <Card>
          {data?.items.length === 0 ? (
            <Nothing isUnreadOnly={isUnreadOnly} />
          ) : (
            <NotificationItems items={data?.items} onRead={(id) => void read(id)} />
          )}
        </Card>
      )}
      <Pages total={data?.totalCount} pageSize={PAGE_SIZE} label={t`Notifications`} />
    </>
  );
}
