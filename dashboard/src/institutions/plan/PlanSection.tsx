import { t } from "@lingui/core/macro";
import Button from "@mui/material/Button";
import LinearProgress from "@mui/material/LinearProgress";
import Skeleton from "@mui/material/Skeleton";
import Typography from "@mui/material/Typography";
import { useId, useState } from "react";
import type { Institution, Schemas } from "../../api/types";
import { date, number } from "../../ui/formats";
import { Column, Row } from "../../ui/layout/layout";
import { Section } from "../../ui/Section";
import { StatusChip } from "../../ui/StatusChip";
import type { Can } from "../../ui/useInstitution";
import { PlanDialog } from "./PlanDialog";

interface UsageProps {
  name: string;
  used: number;
  /** Null for no limit. */
  limit: number | null;
}

function Usage({ name, used, limit }: UsageProps) {
  const id = useId();
  const count = number(used);
  const share = limit === null ? 0 : Math.min(100, limit === 0 ? 100 : (used / limit) * 100);
  return (
    <Column gap="s">
      <Row gap="s" align="stretch" place="apart">
        <Typography variant="body2" id={id}>
          {name}
        </Typography>
        <Typography variant="body2" color="textSecondary">
          {limit === null ? t`${count}, no limit` : t`${count} of ${{ limit: number(limit) }}`}
        </Typography>
      </Row>
      {limit !== null && (
        <LinearProgress
          variant="determinate"
          value={share}
          aria-labelledby={id}
          color={share >= 100 ? "error" : share >= 80 ? "warning" : "primary"}
        />
      )}
    </Column>
  );
}

interface PlanSectionProps {
  institution: Institution;
  /** Undefined while loading. */
  overview: Schemas["InstitutionOverview"] | undefined;
  can: Can;
}

/** The plan and how much of its limits is used. */
export function PlanSection({ institution, overview, can }: PlanSectionProps) {
  const [open, setOpen] = useState(false);
  return (
    <Section
      title={t`Plan`}
      help="plans-and-limits"
      actions={can.isSystemAdmin && <Button onClick={() => setOpen(true)}>{t`Change plan`}</Button>}
    >
      {overview ? (
        <Column gap="l">
          <Row gap="s">
            <StatusChip status={institution.plan} tone="news" />
            <Typography variant="body2" color="textSecondary">
              {t`Created ${{ day: date(institution.createdAt) }}`}
            </Typography>
          </Row>
          <Usage name={t`Products`} used={overview.products} limit={institution.limits.products} />
          <Usage name={t`Licenses`} used={overview.licenses} limit={institution.limits.licenses} />
        </Column>
      ) : (
        <Skeleton variant="rounded" height={104} />
      )}
      {open && <PlanDialog institution={institution} onClose={() => setOpen(false)} />}
    </Section>
  );
}
