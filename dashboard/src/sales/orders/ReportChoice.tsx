import { t } from "@lingui/core/macro";
import MenuItem from "@mui/material/MenuItem";
import TextField from "@mui/material/TextField";
import type { ReactNode } from "react";
import { api, at } from "../../api/client";
import { dateTime } from "../../ui/formats";
import { Row } from "../../ui/layout/layout";
import { Muted } from "../../ui/Muted";
import { useAct } from "../../ui/useAct";
import { MORNING, outcomeOf, type Period, PERIODS, REPORT, type Report } from "./reports";
import styles from "./orders.module.css";

const HOURS = Array.from({ length: 24 }, (_, hour) => `${String(hour).padStart(2, "0")}:00`);

interface ReportChoiceProps {
  institutionId: string;
  reader: { id: string; name: string; email: string };
  report: Report | undefined;
  /** What else can be done about it. */
  children?: ReactNode;
}

/** How often and when somebody receives the report, which is changed at once. */
export function ReportChoice({ institutionId, reader, report, children }: ReportChoiceProps) {
  const { busy, act } = useAct();
  const of = at({ institutionId, userId: reader.id });
  const name = reader.name || reader.email;
  const isOutside = report?.email != null;
  const choose = (period: Period | "", timeOfDay: string) =>
    period
      ? act(t`Reports go to ${name}.`, () =>
          api.PUT(REPORT, { ...of, body: { period, timeOfDay } }),
        )
      : act(t`${name} gets no more reports.`, () => api.DELETE(REPORT, of));
  const outcome = report && outcomeOf(report);
  return (
    <Row gap="m" wraps>
      <div className={styles.reader}>
        <div dir="auto">{name}</div>
        <Muted component="div">
          {report?.stoppedAt
            ? t`Stopped by the recipient ${{ moment: dateTime(report.stoppedAt) }}`
            : report?.nextAt
              ? t`Next: ${{ moment: dateTime(report.nextAt) }}`
              : reader.email}
        </Muted>
        {outcome && <Muted component="div">{outcome}</Muted>}
      </div>
      {!report?.stoppedAt && (
        <>
          <TextField
            select
            value={report?.period ?? ""}
            disabled={busy}
            onChange={(event) =>
              void choose(event.target.value as Period | "", report?.timeOfDay ?? MORNING)
            }
            slotProps={{
              select: { displayEmpty: true, inputProps: { "aria-label": t`Report for ${name}` } },
            }}
          >
            {!isOutside && <MenuItem value="">{t`No report`}</MenuItem>}
            {PERIODS.map(([value, label]) => (
              <MenuItem key={value} value={value}>
                {label}
              </MenuItem>
            ))}
          </TextField>
          {report && (
            <TextField
              select
              value={report.timeOfDay}
              disabled={busy}
              onChange={(event) => void choose(report.period, event.target.value)}
              slotProps={{ select: { inputProps: { "aria-label": t`Time of day for ${name}` } } }}
            >
              {[...new Set([...HOURS, report.timeOfDay])].sort().map((time) => (
                <MenuItem key={time} value={time}>
                  {time}
                </MenuItem>
              ))}
            </TextField>
          )}
        </>
      )}
      {children}
    </Row>
  );
}
