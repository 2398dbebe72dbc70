import { plural, t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import Button from "@mui/material/Button";
import Typography from "@mui/material/Typography";
import { useState } from "react";
import { api } from "../../../api/client";
import { asProblem } from "../../../api/problem";
import type { License, Schemas } from "../../../api/types";
import { date, number } from "../../../ui/formats";
import { RelativeTime } from "../../../ui/RelativeTime";
import { Table } from "../../../ui/table/Table";
import { notify } from "../../../ui/toasts/toasts";
import { useNotifyChanged } from "../../../ui/useNotifyChanged";
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
            <Typography variant="body2" color="textSecondary" component="div">
              {attempt.ipAddress} · {ENTRY_LABELS[attempt.entryPoint]}
            </Typography>
            <Typography
              variant="body2"
              color="textSecondary"
              component="div"
              className={styles.untilLg}
            >
              <Trans>
                {{ count: number(attempt.attemptCount) }}×, last{" "}
                <RelativeTime at={attempt.lastSeenAt} />
              </Trans>
            </Typography>
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
      { key: "attemptCount", label: t`Attempts`, sort: "attemptCount", align: "end", from: "lg" },
      {
        key: "firstSeenAt",
        label: t`First attempt`,
        sort: "firstSeenAt",
        from: "lg",
        cell: (attempt: Attempt) => <RelativeTime at={attempt.firstSeenAt} />,
      },
      {
        key: "lastSeenAt",
        label: t`Last attempt`,
        sort: "lastSeenAt",
        from: "lg",
        cell: (attempt: Attempt) => <RelativeTime at={attempt.lastSeenAt} />,
      },
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

/** Runs a review and shows errors as notifications. */
function useReview() {
  const [busy, setBusy] = useState(false);
  const run = async (work: () => Promise<void>) => {
    setBusy(true);
    try {
      await work();
    } catch (error) {
      notify(asProblem(error).message, { type: "error" });
    }
    setBusy(false);
  };
  return { busy, run };
}

function ReviewButton({ license, attempt }: { license: License; attempt: Attempt }) {
  const { busy, run } = useReview();
  const notifyChanged = useNotifyChanged();
  return (
    <Button
      size="small"
      variant="outlined"
      loading={busy}
      onClick={() =>
        void run(async () => {
          await review(license.id, attempt.id);
          notifyChanged(t`Access attempt marked as reviewed.`);
        })
      }
    >
      {t`Mark as reviewed`}
    </Button>
  );
}

export function ReviewAllButton({ license }: { license: License }) {
  const { busy, run } = useReview();
  const notifyChanged = useNotifyChanged();
  return (
    <Button
      size="small"
      variant="outlined"
      loading={busy}
      onClick={() =>
        void run(async () => {
          const count = await reviewAll(license.id);
          notifyChanged(
            plural(count, {
              one: "Access attempt marked as reviewed.",
              other: "All access attempts marked as reviewed.",
            }),
          );
        })
      }
    >
      {t`Mark all as reviewed`}
    </Button>
  );
}

type Page = Schemas["AccessAttemptList"];

const review = (licenseId: string, attemptId: string) =>
  api.POST("/api/licenses/{licenseId}/access-attempts/{attemptId}/acknowledge", {
    params: { path: { licenseId, attemptId } },
  });

/**
 * Marks all attempts of a license as reviewed, not only those on the page. Returns their number.
 */
async function reviewAll(licenseId: string): Promise<number> {
  const open = await unreviewed(licenseId);
  for (const attempt of open) await review(licenseId, attempt.id);
  return open.length;
}

async function unreviewed(licenseId: string): Promise<Attempt[]> {
  const found: Attempt[] = [];
  let after: string | null = "";
  while (after !== null) {
    const page: Page = await attemptsAfter(licenseId, after);
    found.push(...page.items.filter((attempt) => !attempt.reviewed));
    after = page.nextAfter ?? null;
  }
  return found;
}

async function attemptsAfter(licenseId: string, after: string): Promise<Page> {
  const { data } = await api.GET("/api/licenses/{licenseId}/access-attempts", {
    params: { path: { licenseId }, query: { after, pageSize: 100 } },
  });
  return data ?? { items: [] };
}
