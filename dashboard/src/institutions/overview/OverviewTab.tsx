import { t } from "@lingui/core/macro";
import Button from "@mui/material/Button";
import { Link } from "react-router";
import { $api } from "../../api/client";
import { activityEvent } from "../../ui/activity";
import { EmptyState } from "../../ui/EmptyState";
import { Column } from "../../ui/layout/layout";
import { ProblemAlert } from "../../ui/ProblemAlert";
import { Section } from "../../ui/Section";
import { Timeline } from "../../ui/Timeline";
import type { TabProps } from "../parts/TabProps";
import { OverviewFigures } from "./OverviewFigures";

const SHOWN = 12;

/** Key figures and recent activity. */
export function OverviewTab({ institutionId, can }: TabProps) {
  const path = { params: { path: { institutionId } } };
  const asked = $api.useQuery("get", "/api/institutions/{institutionId}/overview", path);
  const overview = asked.data;
  if (asked.error) return <ProblemAlert error={asked.error} retry={() => void asked.refetch()} />;
  const events = overview?.recentActivity
    .slice(0, SHOWN)
    .map((item) => activityEvent(item, institutionId));
  return (
    <Column gap="l">
      <OverviewFigures institutionId={institutionId} overview={overview} />
      <Section
        title={t`Recent activity`}
        actions={
          can.manage && (
            <Button component={Link} to={`/institutions/${institutionId}/audit`}>
              {t`Audit log`}
            </Button>
          )
        }
      >
        {events?.length === 0 ? (
          <EmptyState title={t`No activity yet`}>
            {t`What users and applications do in this institution appears here.`}
          </EmptyState>
        ) : (
          <Timeline events={events} />
        )}
      </Section>
    </Column>
  );
}
