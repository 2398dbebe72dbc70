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
import { Pager } from "../../ui/list/Pager";
import { SearchFilter } from "../../ui/list/SearchFilter";
import { ListContext, useList } from "../../ui/list/useList";
import { Muted } from "../../ui/Muted";
import { ProblemAlert } from "../../ui/ProblemAlert";
import { useAct } from "../../ui/useAct";
import { useCan, useInstitution } from "../../ui/useInstitution";
import styles from "./orders.module.css";

type Report = Schemas["OrderReport"];
type Period = Schemas["ReportPeriod"];

const REPORTS = "/api/institutions/{institutionId}/order-reports";
const REPORT = "/api/institutions/{institutionId}/order-reports/{userId}";
const PAGE = 10;
interface ReportsDialogProps {
  institutionId: string;
  onClose: () => void;
}

/** Chooses who receives the orders of each week or month by email. */
export default function ReportsDialog({ institutionId, onClose }: ReportsDialogProps) {
  const { profile } = useInstitution();
  const { manage } = useCan(institutionId);
  const { data, error } = $api.useQuery("get", REPORTS, at({ institutionId }));
  return (
    <Dialog open onClose={onClose} aria-labelledby="reports-title">
      <DialogTitle id="reports-title">{t`Email reports`}</DialogTitle>
      <DialogContent>
        <Column gap="l">
          <p>
            {t`The orders of the past week or month as CSV, without test sales, as soon as it is over in the time zone of the institution. More than 1,000 orders come as a link to this page.`}
          </p>
          {error && <ProblemAlert error={error} />}
          {!data && !error && <Skeleton variant="rounded" height={120} />}
          {data && manage && <Readers institutionId={institutionId} {...data} />}
          {data && !manage && profile && (
            <ReportChoice
              institutionId={institutionId}
              reader={{ ...profile, userId: profile.id }}
              report={data.reports.find(({ userId }) => userId === profile.id)}
            />
          )}
        </Column>
      </DialogContent>
      <DialogActions>
        <Button onClick={onClose}>{t`Close`}</Button>
      </DialogActions>
    </Dialog>
  );
}

interface ReadersProps {
  institutionId: string;
  reports: Report[];
}

/** Lists by name who sees orders, which Members do not. Owners and Admins choose a report for each. */
function Readers({ institutionId, reports }: ReadersProps) {
  const list = useList<Schemas["Member"]>({
    path: `institutions/${institutionId}/members`,
    filterNames: ["search"],
    sort: "fullName",
    pageSize: PAGE,
    inUrl: false,
  });
  const { items, total = 0, filters, error, refetch } = list;
  const readers = items?.filter(({ role }) => role !== "Member");
  if (error) return <ProblemAlert error={error} retry={refetch} />;
  return (
    <ListContext value={list}>
      {(total > PAGE || filters["search"]) && <SearchFilter placeholder={t`Name or email`} />}
      {!items && <Skeleton variant="rounded" height={120} />}
      {readers?.length === 0 && <Muted>{t`Nothing matches these filters.`}</Muted>}
      {readers?.map((reader) => (
        <ReportChoice
          key={reader.userId}
          institutionId={institutionId}
          reader={reader}
          report={reports.find(({ userId }) => userId === reader.userId)}
        />
      ))}
      <Pager />
    </ListContext>
  );
}

interface ReportChoiceProps {
  institutionId: string;
  reader: { userId: string; fullName: string; email: string };
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
