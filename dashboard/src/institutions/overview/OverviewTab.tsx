import { plural, t } from "@lingui/core/macro";
import { $api, at } from "../../api/client";
import type { Schemas } from "../../api/types";
import { activityEvent } from "../../ui/activity";
import { EmptyState } from "../../ui/EmptyState";
import { KeyFigure } from "../../ui/KeyFigure";
import { Column } from "../../ui/layout/layout";
import { ButtonLink } from "../../ui/PageLink";
import { ProblemAlert } from "../../ui/ProblemAlert";
import { settingsPath } from "../../ui/paths";
import { Section } from "../../ui/Section";
import { Timeline } from "../../ui/Timeline";
import { useInstitution } from "../../ui/useInstitution";
import type { TabProps } from "../parts/TabProps";
import styles from "./overview.module.css";

const SHOWN = 12;

/** Key figures and recent activity. */
export function OverviewTab({ institutionId, can }: TabProps) {
  const path = at({ institutionId });
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
            <ButtonLink to={settingsPath(institutionId, "audit")}>{t`Audit log`}</ButtonLink>
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

interface OverviewFiguresProps {
  institutionId: string;
  /** Undefined while loading. */
  overview: Schemas["InstitutionOverview"] | undefined;
}

/** Key figures; linked only for the current institution, because the lists show that one. */
function OverviewFigures({ institutionId, overview }: OverviewFiguresProps) {
  const worked = useInstitution().institutionId === institutionId;
  const here = `/institutions/${institutionId}`;
  const there = (to: string) => (worked ? { to } : {});
  const active = overview?.activeLicenses;
  const pending = overview?.pendingActivations;
  return (
    <div className={styles.figures}>
      <KeyFigure label={t`Products`} value={overview?.products} to={`${here}/products`} />
      <KeyFigure
        label={t`Licenses`}
        value={overview?.licenses}
        hint={active === undefined ? "…" : plural(active, { other: "# active" })}
        {...there("/licenses")}
      />
      <KeyFigure label={t`Expiring in 30 days`} value={overview?.expiringIn30Days} />
      <KeyFigure
        label={t`Devices`}
        value={overview?.activations}
        hint={pending === undefined ? "…" : plural(pending, { other: "# pending" })}
        {...there("/statistics/activations")}
      />
      <KeyFigure
        label={t`Live sessions`}
        value={overview?.liveSessions}
        {...there("/statistics/sessions")}
      />
      <KeyFigure
        label={t`Members`}
        value={overview?.members}
        to={settingsPath(institutionId, "team")}
      />
    </div>
  );
}
