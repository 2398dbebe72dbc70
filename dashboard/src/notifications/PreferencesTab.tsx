import { t } from "@lingui/core/macro";
import Alert from "@mui/material/Alert";
import Card from "@mui/material/Card";
import Skeleton from "@mui/material/Skeleton";
import Switch from "@mui/material/Switch";
import Table from "@mui/material/Table";
import TableBody from "@mui/material/TableBody";
import TableCell from "@mui/material/TableCell";
import TableHead from "@mui/material/TableHead";
import TableRow from "@mui/material/TableRow";
import Typography from "@mui/material/Typography";
import { useQueryClient } from "@tanstack/react-query";
import { $api } from "../api/client";
import { asProblem } from "../api/problem";
import type { Schemas } from "../api/types";
import { ClosedAccount } from "../ui/ClosedAccount";
import { inSentence } from "../ui/labels";
import { Column } from "../ui/layout/layout";
import { ProblemAlert } from "../ui/ProblemAlert";
import { useLocalValue } from "../ui/useLocalValue";
import { useInstitution } from "../ui/useInstitution";
import { KIND_NAMES, KINDS, type Kind } from "./kinds";
import styles from "./notifications.module.css";
import { notify } from "../ui/toasts/toasts";

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

const Row = ({ kind, chosen }: { kind: Kind; chosen: Schemas["Channels"] | undefined }) => (
  <TableRow>
    <TableCell component="th" scope="row">
      <div className={styles.kind}>{KINDS[kind].label}</div>
      <Typography variant="body2" component="div" color="textSecondary">
        {KINDS[kind].when}
      </Typography>
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
export function PreferencesTab() {
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
                <Row key={kind} kind={kind} chosen={data?.[kind]} />
              ))}
            </TableBody>
          </Table>
        </Card>
      )}
    </Column>
  );
}
