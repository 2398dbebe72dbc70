import { t } from "@lingui/core/macro";
import Button from "@mui/material/Button";
import Dialog from "@mui/material/Dialog";
import DialogActions from "@mui/material/DialogActions";
import DialogContent from "@mui/material/DialogContent";
import DialogTitle from "@mui/material/DialogTitle";
import Skeleton from "@mui/material/Skeleton";
import { $api, at } from "../../api/client";
import type { Schemas } from "../../api/types";
import { Column } from "../../ui/layout/layout";
import { Pager } from "../../ui/list/Pager";
import { SearchFilter } from "../../ui/list/SearchFilter";
import { ListContext, useList } from "../../ui/list/useList";
import { Muted } from "../../ui/Muted";
import { ProblemAlert } from "../../ui/ProblemAlert";
import { useCan, useInstitution } from "../../ui/useInstitution";
import { OutsideReports } from "./OutsideReports";
import { ReportChoice } from "./ReportChoice";
import { REPORTS, type Report } from "./reports";
import { SendNow } from "./SendNow";

const PAGE = 10;
interface ReportsDialogProps {
  institutionId: string;
  onClose: () => void;
}

/** Chooses who receives the orders of each day, week or month by email, and when. */
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
            {t`The orders of the past day, week or month as CSV, without test sales. More than 1,000 orders come as a link to this page.`}{" "}
            {data && t`Times are those of the institution: ${{ zone: data.timeZone }}.`}
          </p>
          {error && <ProblemAlert error={error} />}
          {!data && !error && <Skeleton variant="rounded" height={120} />}
          {data && manage && <Readers institutionId={institutionId} {...data} />}
          {data && manage && <OutsideReports institutionId={institutionId} {...data} />}
          {data && !manage && profile && (
            <ReportChoice
              institutionId={institutionId}
              reader={{ id: profile.id, name: profile.fullName, email: profile.email }}
              report={data.reports.find(({ userId }) => userId === profile.id)}
            />
          )}
        </Column>
      </DialogContent>
      <DialogActions>
        <SendNow institutionId={institutionId} />
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
          reader={{ id: reader.userId, name: reader.fullName, email: reader.email }}
          report={reports.find(({ userId }) => userId === reader.userId)}
        />
      ))}
      <Pager />
    </ListContext>
  );
}
