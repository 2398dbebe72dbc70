import { t } from "@lingui/core/macro";
import Button from "@mui/material/Button";
import Typography from "@mui/material/Typography";
import { Link } from "react-router";
import { activityEvent } from "../ui/activity";
import { Section } from "../ui/Section";
import { Timeline } from "../ui/Timeline";
import { useCan } from "../ui/useInstitution";
import { useOverview } from "./useOverview";

const SHOWN = 8;

/** The latest events of the institution. */
export function Activity({ institutionId }: { institutionId: string }) {
  const { data, error } = useOverview(institutionId);
  const { manage } = useCan();
  // The key figures show the error.
  if (error && !data) return null;
  const events = data?.recentActivity
    .slice(0, SHOWN)
    .map((item) => activityEvent(item, institutionId));
  return (
    <Section
      title={t`Recent activity`}
      actions={
        manage && (
          <Button component={Link} to={`/institutions/${institutionId}/audit`} size="small">
            {t`Audit log`}
          </Button>
        )
      }
    >
      {events?.length === 0 ? (
        <Typography color="textSecondary">{t`No activity yet.`}</Typography>
      ) : (
        <Timeline events={events} />
      )}
    </Section>
  );
}
