import { plural, t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import Button from "@mui/material/Button";
import type { License, Schemas } from "../../../api/types";
import { reviewAllAttempts, reviewAttempt } from "../../../ui/attempts";
import { date, number } from "../../../ui/formats";
import { Muted } from "../../../ui/Muted";
import { RelativeTime } from "../../../ui/RelativeTime";
import { Table } from "../../../ui/table/Table";
import { useAct } from "../../../ui/useAct";
import styles from "../detail.module.css";
import { HardwareId } from "../HardwareId";

type Attempt = Schemas["AccessAttempt"];

/** What the machine tried. */
const ENTRY_LABELS: Record<Schemas["EntryPoint"], string> = {
  Validate: t({ message: "Validate", context: "verb" }),
  Activate: t({ message: "Activate", context: "verb" }),
  Connect: t({ message: "Connect", context: "verb" }),
  Refresh: t({ message: "Refresh", context: "verb" }),
};

export const AttemptTable = ({ license }: { license: License }) => (
  <Table<Attempt>
    label={t`Access attempts`}
    columns={[
      {
        key: "attemptedHardwareId",
        label: t`Machine`,
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
        void act(t`Access attempt marked as reviewed.`, () => reviewAttempt(license.id, attempt.id))
      }
    >
      {t`Mark as reviewed`}
    </Button>
  );
}

export function ReviewAllButton({ license }: { license: License }) {
  const { busy, act } = useAct();
  return (
    <Button
      size="small"
      variant="outlined"
      loading={busy}
      onClick={() =>
        void act(
          (count: number) =>
            plural(count, {
              one: "Access attempt marked as reviewed.",
              other: "All access attempts marked as reviewed.",
            }),
          () => reviewAllAttempts(license.id),
        )
      }
    >
      {t`Mark all as reviewed`}
    </Button>
  );
}
