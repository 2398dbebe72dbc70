import { plural, t } from "@lingui/core/macro";
import Button from "@mui/material/Button";
import Skeleton from "@mui/material/Skeleton";
import Typography from "@mui/material/Typography";
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { $api, api } from "../api/client";
import type { Schemas } from "../api/types";
import { ConfirmDialog } from "../ui/ConfirmDialog";
import { dateTime, number, relative } from "../ui/formats";
import { Column, Row } from "../ui/layout/layout";
import { Muted } from "../ui/Muted";
import { ProblemAlert } from "../ui/ProblemAlert";
import { Section } from "../ui/Section";
import { signOut } from "../ui/signOut";
import { StatusChip } from "../ui/StatusChip";
import { RowMenu } from "../ui/table/RowMenu";
import { notify } from "../ui/toasts/toasts";
import styles from "./profile.module.css";

type SignIn = Schemas["SignIn"];

const SHOWN = 100;

/** Lists where the user is signed in and lets them sign out there. */
export function SessionsTab() {
  const [ending, setEnding] = useState<SignIn | "all">();
  const { data, error, refetch } = $api.useQuery("get", "/api/auth/sessions", {
    params: { query: { pageSize: SHOWN } },
  });
  const close = () => setEnding(undefined);
  const hidden = (data?.totalCount ?? 0) - (data?.items.length ?? 0);
  const hiddenText = number(hidden);
  return (
    <Section
      title={t`Where you are signed in`}
      subtitle={t`Don't recognize a session? Sign it out and change your password.`}
      actions={
        <Button color="error" onClick={() => setEnding("all")}>
          {t`Sign out everywhere`}
        </Button>
      }
    >
      <Column gap="m">
        {error && <ProblemAlert error={error} retry={() => void refetch()} />}
        {!data && !error && <Skeleton variant="rounded" height={140} />}
        <Column as="ul">
          {data?.items.map((item) => (
            <SignInRow key={item.id} item={item} onEnd={() => setEnding(item)} />
          ))}
        </Column>
        {hidden > 0 && (
          <Typography color="textSecondary">
            {plural(hidden, {
              one: `${hiddenText} older session is not shown.`,
              other: `${hiddenText} older sessions are not shown.`,
            })}
          </Typography>
        )}
      </Column>
      {ending === "all" && <EndAllDialog onClose={close} />}
      {ending && ending !== "all" && <EndDialog item={ending} onClose={close} />}
    </Section>
  );
}

function SignInRow({ item, onEnd }: { item: SignIn; onEnd: () => void }) {
  const device = deviceName(item.userAgent);
  const address = item.ipAddress ?? t`Unknown address`;
  const lastUsed = relative(item.lastUsedAt);
  const signedIn = dateTime(item.createdAt);
  return (
    <Row as="li" gap="s" className={styles.session}>
      <div className={styles.name}>
        <Row gap="s" wraps>
          <Typography variant="subtitle1" component="p" className={styles.address}>
            {device}
          </Typography>
          {item.current && <StatusChip status="This session" />}
        </Row>
        <Muted>{t`${address} · last used ${lastUsed} · signed in ${signedIn}`}</Muted>
      </div>
      {!item.current && (
        <div className={styles.end}>
          <RowMenu name={`${device}, ${address}`} acts={[{ label: t`Sign out`, act: onEnd }]} />
        </div>
      )}
    </Row>
  );
}

function EndDialog({ item, onClose }: { item: SignIn; onClose: () => void }) {
  const queryClient = useQueryClient();
  return (
    <ConfirmDialog
      title={t`Sign out this session?`}
      consequence={t`${{ device: deviceName(item.userAgent) }} is signed out with its next request. Unsaved changes there are lost.`}
      action={t`Sign out`}
      onClose={onClose}
      onConfirm={async () => {
        const params = { path: { signInId: item.id } };
        await api.DELETE("/api/auth/sessions/{signInId}", { params });
        await queryClient.invalidateQueries({ queryKey: ["get", "/api/auth/sessions"] });
        notify(t`Session signed out.`, { type: "info" });
      }}
    />
  );
}

function EndAllDialog({ onClose }: { onClose: () => void }) {
  return (
    <ConfirmDialog
      title={t`Sign out everywhere?`}
      consequence={t`This signs you out on every device, including this one. API keys keep working.`}
      action={t`Sign out everywhere`}
      danger
      onClose={onClose}
      onConfirm={async () => {
        await api.DELETE("/api/auth/sessions");
        await signOut();
      }}
    />
  );
}

const BROWSERS: [RegExp, string][] = [
  [/Edg(A|iOS)?\//, "Edge"],
  [/OPR\/|Opera/, "Opera"],
  [/SamsungBrowser\//, "Samsung Internet"],
  [/Firefox\/|FxiOS\//, "Firefox"],
  [/HeadlessChrome\/|Chrome\/|CriOS\//, "Chrome"],
  [/Safari\//, "Safari"],
];
const SYSTEMS: [RegExp, string][] = [
  [/Windows/, "Windows"],
  [/iPhone/, "iPhone"],
  [/iPad/, "iPad"],
  [/Android/, "Android"],
  [/CrOS/, "ChromeOS"],
  [/Mac OS X|Macintosh/, "macOS"],
  [/Linux/, "Linux"],
];

const find = (names: [RegExp, string][], text: string) =>
  names.find(([pattern]) => pattern.test(text))?.[1];

/** A readable name for a user agent: "Firefox on Windows". */
function deviceName(userAgent: string | null): string {
  if (!userAgent) return t`Unknown browser`;
  const browser = find(BROWSERS, userAgent);
  const system = find(SYSTEMS, userAgent);
  if (browser && system) return t`${browser} on ${system}`;
  return browser ?? userAgent.slice(0, 60);
}
