import { plural, t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import Alert from "@mui/material/Alert";
import Button from "@mui/material/Button";
import Card from "@mui/material/Card";
import Typography from "@mui/material/Typography";
import { useState } from "react";
import { useLocation } from "react-router";
import type { License, Schemas } from "../../../api/types";
import { EmptyState } from "../../../ui/EmptyState";
import { HelpLink } from "../../../ui/help";
import { ShieldIcon } from "../../../ui/icons";
import { Column } from "../../../ui/layout/layout";
import { DataList } from "../../../ui/list/DataList";
import { ButtonLink, PageLink } from "../../../ui/PageLink";
import { Section } from "../../../ui/Section";
import { RevokeDialog } from "../actions/StateDialogs";
import styles from "../detail.module.css";
import { isAddress } from "../traits";
import { reopenAttempts, reviewAllAttempts, reviewAttempt } from "../../../ui/attempts";
import { date, number } from "../../../ui/formats";
import { Muted } from "../../../ui/Muted";
import { RelativeTime } from "../../../ui/RelativeTime";
import { Table } from "../../../ui/table/Table";
import { useAct } from "../../../ui/useAct";
import { HardwareId } from "../HardwareId";

const REFRESH_MS = 15_000;

/** Machines that were rejected because the license is bound to another one. */
export const AttemptsTab = ({ license }: { license: License }) => (
  <Column gap="l">
    <AttemptsGuide license={license} />
    <DataList
      path={`licenses/${license.id}/access-attempts`}
      sort="-lastSeenAt"
      refetchInterval={REFRESH_MS}
      empty={
        <Card>
          <EmptyState
            icon={<ShieldIcon />}
            title={t`No access attempts`}
            action={<HelpLink topic="access-attempts">{t`About access attempts`}</HelpLink>}
          >
            {t`Once the license is bound to a device, any other device that tries to validate, activate or connect with its key is rejected and recorded here.`}
          </EmptyState>
        </Card>
      }
    >
      <AttemptTable license={license} />
    </DataList>
  </Column>
);

/** Shown until every attempt is reviewed. */
export function AttemptsBanner({ license }: { license: License }) {
  const to = `/licenses/${license.id}/access-attempts`;
  const isThere = useLocation().pathname.startsWith(to);
  const count = license.unreviewedAccessAttempts;
  return (
    <Alert
      severity="warning"
      className={styles.above}
      action={
        !isThere && (
          <ButtonLink to={to} color="inherit" size="small">
            {t`Review`}
          </ButtonLink>
        )
      }
    >
      {plural(count, {
        one: "A device tried to use this license, which is bound to another device. Access was denied; nothing changed.",
        other:
          "# devices tried to use this license, which is bound to another device. Access was denied; nothing changed.",
      })}
    </Alert>
  );
}

/** Explains what access attempts may mean and what to do about them. */
function AttemptsGuide({ license }: { license: License }) {
  const [revoking, setRevoking] = useState(false);
  return (
    <Section
      title={t`What to do about access attempts`}
      help="access-attempts"
      actions={
        <>
          {license.unreviewedAccessAttempts > 0 && <ReviewAllButton license={license} />}
          {isAddress(license.issuedTo) && (
            <Button
              size="small"
              variant="outlined"
              href={`mailto:${license.issuedTo}?subject=${encodeURIComponent(license.licenseName)}`}
            >
              {t`Email customer`}
            </Button>
          )}
          {license.status !== "Revoked" && (
            <Button size="small" variant="outlined" color="error" onClick={() => setRevoking(true)}>
              {t`Revoke license`}
            </Button>
          )}
        </>
      }
    >
      <Typography color="textSecondary" className={styles.prose}>
        <Trans>
          The usual reason is a new device. Deactivate the old one under{" "}
          <PageLink to={`/licenses/${license.id}/activations`}>Activations</PageLink> to allow the
          new one. Many devices within a few days suggest that the key is being shared. Marking an
          attempt as reviewed only removes the warning.
        </Trans>
      </Typography>
      {revoking && <RevokeDialog license={license} onClose={() => setRevoking(false)} />}
    </Section>
  );
}

type Attempt = Schemas["AccessAttempt"];

/** What the machine tried. */
const ENTRY_LABELS: Record<Schemas["EntryPoint"], string> = {
  Validate: t({ message: "Validate", context: "verb" }),
  Activate: t({ message: "Activate", context: "verb" }),
  Connect: t({ message: "Connect", context: "verb" }),
  Refresh: t({ message: "Refresh", context: "verb" }),
};

const AttemptTable = ({ license }: { license: License }) => (
  <Table<Attempt>
    label={t`Access attempts`}
    columns={[
      {
        key: "attemptedHardwareId",
        label: t`Device`,
        cell: (attempt: Attempt) => (
          <>
            <HardwareId id={attempt.attemptedHardwareId} label={t`Copy attempted hardware ID`} />
            <Muted component="div">
              {attempt.ipAddress} · {ENTRY_LABELS[attempt.entryPoint]}
            </Muted>
            <Muted component="div" className={styles.untilLg}>
              <Trans>
                {{ count: number(attempt.attemptCount) }}×, last{" "}
                <RelativeTime at={attempt.lastSeenAt} />
              </Trans>
            </Muted>
          </>
        ),
      },
      {
        key: "boundHardwareId",
        label: t`Bound to`,
        from: "lg",
        cell: (attempt: Attempt) => (
          <HardwareId id={attempt.boundHardwareId} label={t`Copy bound hardware ID`} />
        ),
      },
      { key: "attemptCount", label: t`Attempts`, sort: true, align: "end", from: "lg" },
      { key: "firstSeenAt", label: t`First attempt`, sort: true, from: "lg", as: "ago" },
      { key: "lastSeenAt", label: t`Last attempt`, sort: true, from: "lg", as: "ago" },
      {
        key: "reviewedAt",
        label: t`Reviewed`,
        cell: (attempt: Attempt) =>
          attempt.reviewedAt ? (
            date(attempt.reviewedAt)
          ) : (
            <ReviewButton license={license} attempt={attempt} />
          ),
      },
    ]}
  />
);

function ReviewButton({ license, attempt }: { license: License; attempt: Attempt }) {
  const { busy, act } = useAct();
  return (
    <Button
      size="small"
      variant="outlined"
      loading={busy}
      onClick={() =>
        void act(
          t`Access attempt marked as reviewed.`,
          () => reviewAttempt(license.id, attempt.id),
          () => reopenAttempts(license.id, [attempt.id]),
        )
      }
    >
      {t`Mark as reviewed`}
    </Button>
  );
}

function ReviewAllButton({ license }: { license: License }) {
  const { busy, act } = useAct();
  return (
    <Button
      size="small"
      variant="outlined"
      loading={busy}
      onClick={() =>
        void act(
          (reviewed: string[]) =>
            plural(reviewed.length, {
              one: "Access attempt marked as reviewed.",
              other: "All access attempts marked as reviewed.",
            }),
          () => reviewAllAttempts(license.id),
          (reviewed) => reopenAttempts(license.id, reviewed),
        )
      }
    >
      {t`Mark all as reviewed`}
    </Button>
  );
}
