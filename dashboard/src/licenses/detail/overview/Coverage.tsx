import { t } from "@lingui/core/macro";
import LinearProgress from "@mui/material/LinearProgress";
import Typography from "@mui/material/Typography";
import type { License } from "../../../api/types";
import { date, relative } from "../../../ui/formats";
import { Column } from "../../../ui/layout/layout";

/** The part of a time that is over, in percent. */
function shareOver(start: string, end: string, now = Date.now()): number {
  const [first, last] = [Date.parse(start), Date.parse(end)];
  if (last <= first) return 100;
  return Math.min(100, Math.max(0, ((now - first) / (last - first)) * 100));
}

interface TimeBarProps {
  label: string;
  start: string;
  end: string;
  words: string;
}

/** How much of a term or of a maintenance is over. */
export const TimeBar = ({ label, start, end, words }: TimeBarProps) => (
  <Column gap="xs">
    <span>
      {date(end)}
      <Typography component="span" color="textSecondary">
        {` (${words})`}
      </Typography>
    </span>
    <LinearProgress variant="determinate" aria-label={label} value={shareOver(start, end)} />
  </Column>
);

/** Until when releases are covered. */
export const Maintenance = ({ license }: { license: License & { updatesUntil: string } }) => (
  <TimeBar
    label={t`Maintenance`}
    start={license.createdAt}
    end={license.updatesUntil}
    words={relative(license.updatesUntil)}
  />
);
