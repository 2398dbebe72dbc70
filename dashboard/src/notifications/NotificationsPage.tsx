import { t } from "@lingui/core/macro";
import Alert from "@mui/material/Alert";
import Button from "@mui/material/Button";
import Card from "@mui/material/Card";
import Skeleton from "@mui/material/Skeleton";
import Switch from "@mui/material/Switch";
import Table from "@mui/material/Table";
import TableBody from "@mui/material/TableBody";
import TableCell from "@mui/material/TableCell";
import TableHead from "@mui/material/TableHead";
import TableRow from "@mui/material/TableRow";
import ToggleButton from "@mui/material/ToggleButton";
import ToggleButtonGroup from "@mui/material/ToggleButtonGroup";
import Typography from "@mui/material/Typography";
import { keepPreviousData, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useSearchParams } from "react-router";
import { $api } from "../api/client";
import { asProblem } from "../api/problem";
import type { Schemas } from "../api/types";
import { ClosedAccount } from "../ui/ClosedAccount";
import { EmptyState } from "../ui/EmptyState";
import { BellIcon, CheckAllIcon } from "../ui/icons";
import { inSentence } from "../ui/labels";
import { Column, Row } from "../ui/layout/layout";
import { Muted } from "../ui/Muted";
import { Page } from "../ui/Page";
import { ButtonLink } from "../ui/PageLink";
import { Pages, usePageNumber } from "../ui/Pages";
import { ProblemAlert } from "../ui/ProblemAlert";
import { RouteTabs } from "../ui/RouteTabs";
import { notify } from "../ui/toasts/toasts";
import { useCan, useInstitution } from "../ui/useInstitution";
import { useLocalValue } from "../ui/useLocalValue";
import { type Kind, KIND_NAMES, KINDS } from "./kinds";
import { NotificationItems } from "./NotificationItems";
import styles from "./notifications.module.css";
import { useMarkAsRead } from "./useNotifications";

export default function NotificationsPage() {
  return (
    <Page
      title={t`Notifications`}
      help="notifications"
      subtitle={t`What may need your attention, across all your institutions.`}
    >
      <RouteTabs
        base="/notifications"
        label={t`Notifications`}
        tabs={[
          { path: "", label: t`Received`, element: <ListTab /> },
          { path: "preferences", label: t`Preferences`, element: <PreferencesTab /> },
        ]}
      />
    </Page>
  );
}

const PAGE_SIZE = 25;

function Nothing({ isUnreadOnly }: { isUnreadOnly: boolean }) {
  const { manage } = useCan();
  const icon = <BellIcon color="var(--faded)" />;
  if (isUnreadOnly)
    return (
      <EmptyState
        icon={icon}
        title={t`You're all caught up`}
        action={<ButtonLink to="/notifications">{t`Show all`}</ButtonLink>}
      >
        {t`New notifications appear here automatically.`}
      </EmptyState>
    );
  return (
    <EmptyState
      icon={icon}
      title={t`No notifications yet`}
      action={
        <ButtonLink to="/notifications/preferences">{t`Choose your notifications`}</ButtonLink>
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
function ListTab() {
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

const PATH = "/api/notifications/preferences";

type Preferences = Schemas["Preferences"];
type Channel = keyof Schemas["Channels"];

const CHANNELS: readonly (readonly [Channel, label: string])[] = [
  ["inApp", t`In app`],
  ["email", t`Email`],
];

interface ChoiceProps {
  kind: Kind;
  channel: Channel;
  label: string;
  /** Undefined while loading. */
  chosen: boolean | undefined;
}

/** A switch that saves immediately. It shows the new value while saving. */
function Choice({ kind, channel, label, chosen }: ChoiceProps) {
  const queries = useQueryClient();
  const { profile } = useInstitution();
  const event = KINDS[kind].label;
  const place = inSentence(label);
  const [value, setValue] = useLocalValue(chosen);
  const { mutate, isPending } = $api.useMutation("put", PATH, {
    onSuccess: (saved) => {
      const isOn = saved[kind][channel];
      setValue(isOn);
      queries.setQueryData<Preferences>(
        $api.queryOptions("get", PATH).queryKey,
        (known) => known && { ...known, [kind]: { ...known[kind], [channel]: isOn } },
      );
      notify(isOn ? t`Saved. ${event}, ${place}: on.` : t`Saved. ${event}, ${place}: off.`);
    },
    onError: (error) => {
      setValue(chosen);
      notify(asProblem(error).message, { type: "error" });
    },
  });
  if (value === undefined)
    return <Skeleton variant="rounded" width={34} height={20} className={styles.saving} />;
  return (
    <Switch
      checked={value}
      disabled={profile?.accountClosed === true}
      onChange={(_, wanted) => {
        if (isPending) return;
        setValue(wanted);
        mutate({ body: { [kind]: { [channel]: wanted } } });
      }}
      slotProps={{ input: { "aria-label": `${event}, ${place}` } }}
    />
  );
}

const KindRow = ({ kind, chosen }: { kind: Kind; chosen: Schemas["Channels"] | undefined }) => (
  <TableRow>
    <TableCell component="th" scope="row">
      <div className={styles.kind}>{KINDS[kind].label}</div>
      <Muted component="div">{KINDS[kind].when}</Muted>
    </TableCell>
    {CHANNELS.map(([channel, label]) => (
      <TableCell key={channel} align="center" className={styles.channel}>
        <Choice kind={kind} channel={channel} label={label} chosen={chosen?.[channel]} />
      </TableCell>
    ))}
  </TableRow>
);

function PreferenceHints() {
  const { profile, memberships } = useInstitution();
  const isManager = memberships.some(({ role }) => role === "Owner" || role === "Admin");
  if (!profile) return null;
  return (
    <>
      {profile.accountClosed && <ClosedAccount />}
      {!isManager && (
        <Alert severity="info">
          {t`Owners and Admins of an institution are notified about its licenses, devices and webhooks. In your role you are notified about invitations.`}
        </Alert>
      )}
      {!profile.emailVerified && (
        <Alert severity="warning">
          {t`You will not get emails until your address ${{ email: profile.email }} is verified.`}
        </Alert>
      )}
    </>
  );
}

/** Which notifications the user gets, and on which channels. */
function PreferencesTab() {
  const { data, error, refetch } = $api.useQuery("get", PATH);
  return (
    <Column gap="l" className={styles.preferences}>
      <Typography color="textSecondary">
        {t`Changes are saved immediately. Your preferences apply to you only, in all your institutions. Emails about the security of your account are always sent.`}
      </Typography>
      <PreferenceHints />
      {error ? (
        <ProblemAlert error={error} retry={() => void refetch()} />
      ) : (
        <Card>
          <Table aria-label={t`Preferences`} aria-busy={!data}>
            <TableHead>
              <TableRow>
                <TableCell>{t`Notify me about`}</TableCell>
                {CHANNELS.map(([channel, label]) => (
                  <TableCell key={channel} align="center" className={styles.channel}>
                    {label}
                  </TableCell>
                ))}
              </TableRow>
            </TableHead>
            <TableBody>
              {KIND_NAMES.map((kind) => (
                <KindRow key={kind} kind={kind} chosen={data?.[kind]} />
              ))}
            </TableBody>
          </Table>
        </Card>
      )}
    </Column>
  );
}
