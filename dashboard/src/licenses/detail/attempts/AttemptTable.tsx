import Box from "@mui/material/Box";
import Typography from "@mui/material/Typography";
import { Table } from "../../../ui/table/Table";
import type { License } from "../../../api/types";
import { date, number } from "../../../ui/formats";
import { words } from "../../../ui/labels";
import { RelativeTime } from "../../../ui/RelativeTime";
import { HardwareId } from "../HardwareId";
import type { Attempt } from "./attempt";
import { ReviewButton } from "./ReviewButton";

const NARROW = { display: { xs: "block", lg: "none" } };

export const AttemptTable = ({ license }: { license: License }) => (
  <Table<Attempt>
    label="Access attempts"
    columns={[
      {
        key: "attemptedHardwareId",
        label: "Machine",
        cell: (attempt: Attempt) => (
          <Box>
            <HardwareId id={attempt.attemptedHardwareId} label="attempted hardware ID" />
            <Typography variant="body2" color="textSecondary" component="div">
              {attempt.ipAddress} · {words(attempt.entryPoint)}
            </Typography>
            <Typography variant="body2" color="textSecondary" component="div" sx={NARROW}>
              {number(attempt.attemptCount)}×, last <RelativeTime at={attempt.lastSeenAt} />
            </Typography>
          </Box>
        ),
      },
      {
        key: "boundHardwareId",
        label: "Bound to",
        from: "lg",
        cell: (attempt: Attempt) => (
          <HardwareId id={attempt.boundHardwareId} label="bound hardware ID" />
        ),
      },
      { key: "attemptCount", label: "Attempts", sort: "attemptCount", align: "end", from: "lg" },
      {
        key: "firstSeenAt",
        label: "First attempt",
        sort: "firstSeenAt",
        from: "lg",
        cell: (attempt: Attempt) => <RelativeTime at={attempt.firstSeenAt} />,
      },
      {
        key: "lastSeenAt",
        label: "Last attempt",
        sort: "lastSeenAt",
        from: "lg",
        cell: (attempt: Attempt) => <RelativeTime at={attempt.lastSeenAt} />,
      },
      {
        key: "reviewedAt",
        label: "Reviewed",
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
