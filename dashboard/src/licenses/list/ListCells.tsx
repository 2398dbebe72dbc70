import WarningIcon from "@mui/icons-material/WarningAmber";
import Box from "@mui/material/Box";
import Chip from "@mui/material/Chip";
import LinearProgress from "@mui/material/LinearProgress";
import Link from "@mui/material/Link";
import Stack from "@mui/material/Stack";
import Typography from "@mui/material/Typography";
import { Link as RouterLink } from "react-router";
import type { License } from "../../api/types";
import { CopyButton } from "../../ui/CopyButton";
import { date, dateTime, number, relative } from "../../ui/formats";
import { StatusChip } from "../../ui/StatusChip";
import { MODEL_TRAITS } from "../../ui/models";
import { SOON_DAYS } from "./listViews";

interface Cell {
  license: License;
}

/** Linked name, and license key with a copy button. */
export const NameCell = ({ license }: Cell) => (
  <Box
    sx={{ minWidth: 0 }}
    onClick={(event) => {
      event.stopPropagation();
    }}
  >
    <Link
      component={RouterLink}
      to={`/licenses/${license.id}`}
      underline="hover"
      title={license.licenseName}
      dir="auto"
      sx={{
        fontWeight: 600,
        display: "-webkit-box",
        WebkitBoxOrient: "vertical",
        WebkitLineClamp: 2,
        overflow: "hidden",
        overflowWrap: "anywhere",
      }}
    >
      {license.licenseName}
    </Link>
    <Stack direction="row" sx={{ alignItems: "center", gap: 0.25, color: "text.secondary" }}>
      <Box
        component="code"
        title={license.licenseKey}
        sx={{
          fontSize: 11.5,
          overflow: "hidden",
          textOverflow: "ellipsis",
          whiteSpace: "nowrap",
        }}
      >
        {license.licenseKey}
      </Box>
      <CopyButton value={license.licenseKey} label={`Copy key of ${license.licenseName}`} />
    </Stack>
  </Box>
);

/** Status and number of unreviewed access attempts. */
export function StatusCell({ license }: Cell) {
  const waiting = license.unreviewedAccessAttempts;
  return (
    <Stack sx={{ gap: 0.5, alignItems: "flex-start" }}>
      <StatusChip status={license.status} />
      {waiting > 0 && (
        <Chip
          size="small"
          color="warning"
          icon={<WarningIcon />}
          label={`${number(waiting)} to review`}
          title="Unreviewed access attempts from other machines"
        />
      )}
    </Stack>
  );
}

/** Seats in use, or the balance. */
export function UseCell({ license }: Cell) {
  const { meterBalance, maxActiveUsersCount: seats } = license;
  const { meter } = MODEL_TRAITS[license.type];
  if (meterBalance !== null) {
    const isLow = meterBalance <= (license.lowBalanceThreshold ?? 0);
    return (
      <Typography variant="body2" color={isLow ? "warning" : "textPrimary"} component="span">
        {number(meterBalance)} {meter}
      </Typography>
    );
  }
  if (seats === null) return <Nothing />;
  const used = license.seatsUsed ?? 0;
  const share = Math.min(100, (used / seats) * 100);
  return (
    <Box sx={{ minWidth: 84 }}>
      <Typography variant="body2" component="span">
        {number(used)} of {number(seats)} active users
      </Typography>
      <LinearProgress
        variant="determinate"
        value={share}
        color={share >= 100 ? "warning" : "primary"}
        aria-label={`Max active users of ${license.licenseName}`}
        sx={{ height: 5, borderRadius: 3, mt: 0.25 }}
      />
    </Box>
  );
}

const DAY_MS = 86_400_000;
const untilThen = (end: string) => new Date(end).getTime() - Date.now();

/** Expiration date, colored if it is near or past. */
export function ExpiryCell({ license }: Cell) {
  const end = license.inGraceUntil ?? license.expirationDate;
  if (license.termDays !== null)
    return <Nothing label={`${number(license.termDays)} days from first use`} />;
  if (end === null) return <Nothing label="Never" />;
  const left = untilThen(end);
  const isSoon = left > 0 && left <= SOON_DAYS * DAY_MS;
  return (
    <Box title={dateTime(end)}>
      <Typography variant="body2">{date(end)}</Typography>
      <Typography
        variant="caption"
        color={left <= 0 ? "error" : isSoon ? "warning" : "textSecondary"}
        sx={{ fontWeight: left <= 0 || isSoon ? 600 : undefined }}
      >
        {relative(end)}
      </Typography>
    </Box>
  );
}

export const IssuedToCell = ({ license }: Cell) =>
  license.issuedTo ? (
    <Typography variant="body2" noWrap title={license.issuedTo} dir="auto">
      {license.issuedTo}
    </Typography>
  ) : (
    <Nothing label="Not assigned" />
  );

const Nothing = ({ label = "—" }: { label?: string }) => (
  <Typography variant="body2" color="textSecondary" component="span">
    {label}
  </Typography>
);
