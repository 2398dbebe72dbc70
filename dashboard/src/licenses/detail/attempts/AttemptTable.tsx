import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import Typography from "@mui/material/Typography";
import { Table } from "../../../ui/table/Table";
import type { License, Schemas } from "../../../api/types";
import { date, number } from "../../../ui/formats";
import { RelativeTime } from "../../../ui/RelativeTime";
import styles from "../detail.module.css";
import { HardwareId } from "../HardwareId";
import type { Attempt } from "./attempt";
import { ReviewButton } from "./ReviewButton";

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
