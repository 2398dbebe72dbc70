import { t } from "@lingui/core/macro";
import Button from "@mui/material/Button";
import Dialog from "@mui/material/Dialog";
import DialogActions from "@mui/material/DialogActions";
import DialogContent from "@mui/material/DialogContent";
import DialogTitle from "@mui/material/DialogTitle";
import MenuItem from "@mui/material/MenuItem";
import Skeleton from "@mui/material/Skeleton";
import TextField from "@mui/material/TextField";
import { $api, api, at } from "../../api/client";
import type { Schemas } from "../../api/types";
import { dateTime } from "../../ui/formats";
import { Column, Row } from "../../ui/layout/layout";
import { Muted } from "../../ui/Muted";
import { ProblemAlert } from "../../ui/ProblemAlert";
import { useAct } from "../../ui/useAct";
import { useCan, useInstitution } from "../../ui/useInstitution";
import styles from "./orders.module.css";

type Report = Schemas["OrderReport"];
type Period = Schemas["ReportPeriod"];

const REPORTS = "/api/institutions/{institutionId}/order-reports";
const REPORT = "/api/institutions/{institutionId}/order-reports/{userId}";
const MEMBERS = "/api/institutions/{institutionId}/members";

interface Reader {
  userId: string;
  fullName: string;
  email: string;
}

/** The members for whom a user may choose a report: for Owners and Admins, all who see orders. */
function useReaders(institutionId: string) {
  const { profile } = useInstitution();
  const { manage } = useCan(institutionId);
  const { data, error } = $api.useQuery(
    "get",
    MEMBERS,
    { params: { path: { institutionId }, query: { pageSize: 100, sort: "fullName" } } },
    { enabled: manage },
  );
  const own: Reader[] | undefined = profile && [{ ...profile, userId: profile.id }];
  const readers = manage ? data?.items.filter(({ role }) => role !== "Member") : own;
  return { readers, error };
}

interface ReportsDialogProps {
  institutionId: string;
  onClose: () => void;
}

/** Chooses who receives the orders of each week or month by email. */
export default function ReportsDialog({ institutionId, onClose }: ReportsDialogProps) {
  const { readers, error } = useReaders(institutionId);
  const { data, error: failed } = $api.useQuery("get", REPORTS, at({ institutionId }));
  const problem = error ?? failed;
  return (
    <Dialog open onClose={onClose} aria-labelledby="reports-title">
      <DialogTitle id="reports-title">{t`Email reports`}</DialogTitle>
      <DialogContent>
        <Column gap="l">
          <p>
            {t`The orders of the past week or month as CSV, without test sales, as soon as it is over. More than 1,000 orders come as a link to this page.`}
          </p>
          {problem && <ProblemAlert error={problem} />}
          {!problem && !(readers && data) && <Skeleton variant="rounded" height={120} />}
          {data &&
            readers?.map((reader) => (
              <ReportChoice
                key={reader.userId}
                institutionId={institutionId}
                reader={reader}
                report={data.reports.find(({ userId }) => userId === reader.userId)}
              />
            ))}
        </Column>
      </DialogContent>
      <DialogActions>
        <Button variant="contained" onClick={onClose}>
          {t`Close`}
        </Button>
      </DialogActions>
    </Dialog>
  );
}

interface ReportChoiceProps {
  institutionId: string;
  reader: Reader;
  report: Report | undefined;
}

/** How often a member receives the report, which is changed at once. */
function ReportChoice({ institutionId, reader, report }: ReportChoiceProps) {
  const { busy, act } = useAct();
  const of = at({ institutionId, userId: reader.userId });
  const name = reader.fullName || reader.email;
  const choose = (period: Period | "") =>
    period
      ? act(t`Reports go to ${name}.`, () => api.PUT(REPORT, { ...of, body: { period } }))
      : act(t`${name} gets no more reports.`, () => api.DELETE(REPORT, of));
  return (
    <Row gap="m" wraps>
      <div className={styles.reader}>
        <div dir="auto">{name}</div>
        <Muted component="div">
          {report ? t`Next: ${{ moment: dateTime(report.nextAt) }}` : reader.email}
        </Muted>
      </div>
      <TextField
        select
        value={report?.period ?? ""}
        disabled={busy}
        onChange={(event) => void choose(event.target.value as Period | "")}
        slotProps={{
          select: { displayEmpty: true, inputProps: { "aria-label": t`Report for ${name}` } },
        }}
      >
        <MenuItem value="">{t`No report`}</MenuItem>
        <MenuItem value="Week">{t`Every week`}</MenuItem>
        <MenuItem value="Month">{t`Every month`}</MenuItem>
      </TextField>
    </Row>
  );
}
