import Box from "@mui/material/Box";
import Typography from "@mui/material/Typography";
import { DataTable } from "react-admin";
import type { License } from "../../../api/types";
import { date, number } from "../../../ui/formats";
import { words } from "../../../ui/labels";
import { RelativeTime } from "../../../ui/RelativeTime";
import { HardwareId } from "../HardwareId";
import type { Attempt } from "./attempt";
import { ReviewButton } from "./ReviewButton";

const WIDE = { display: { xs: "none", lg: "table-cell" } };
const NARROW = { display: { xs: "block", lg: "none" } };

export const AttemptTable = ({ license }: { license: License }) => (
  <DataTable<Attempt> bulkActionButtons={false} rowClick={false}>
    <DataTable.Col
      source="attemptedHardwareId"
      label="Machine"
      disableSort
      render={(attempt: Attempt) => (
        <Box>
          <HardwareId id={attempt.attemptedHardwareId} label="attempted hardware ID" />
          <Typography variant="body2" color="textSecondary" component="div">
            {attempt.ipAddress} · {words(attempt.entryPoint)}
          </Typography>
          <Typography variant="body2" color="textSecondary" component="div" sx={NARROW}>
            {number(attempt.attemptCount)}×, last <RelativeTime at={attempt.lastSeenAt} />
          </Typography>
        </Box>
      )}
    />
    <DataTable.Col
      source="boundHardwareId"
      label="Bound to"
      disableSort
      sx={WIDE}
      render={(attempt: Attempt) => (
        <HardwareId id={attempt.boundHardwareId} label="bound hardware ID" />
      )}
    />
    <DataTable.NumberCol source="attemptCount" label="Attempts" sx={WIDE} />
    <DataTable.Col
      source="firstSeenAt"
      label="First attempt"
      sx={WIDE}
      render={(attempt: Attempt) => <RelativeTime at={attempt.firstSeenAt} />}
    />
    <DataTable.Col
      source="lastSeenAt"
      label="Last attempt"
      sx={WIDE}
      render={(attempt: Attempt) => <RelativeTime at={attempt.lastSeenAt} />}
    />
    <DataTable.Col
      source="reviewedAt"
      label="Reviewed"
      disableSort
      render={(attempt: Attempt) =>
        attempt.reviewedAt ? (
          date(attempt.reviewedAt)
        ) : (
          <ReviewButton license={license} attempt={attempt} />
        )
      }
    />
  </DataTable>
);
