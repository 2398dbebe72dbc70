import { t } from "@lingui/core/macro";
import Button from "@mui/material/Button";
import { Link } from "react-router";
import { $api } from "../../../api/client";
import type { License } from "../../../api/types";
import { Section } from "../../../ui/Section";
import { Timeline } from "../../../ui/Timeline";
import { eventsOf } from "../../../ui/licenseEvents/timeline";

const SHOWN = 5;
const REFRESH_MS = 15_000;

/** What happened last: who did what, and when. */
export function LatestEvents({ license }: { license: License }) {
  const { data } = $api.useQuery(
    "get",
    "/api/licenses/{licenseId}/events",
    {
      params: { path: { licenseId: license.id }, query: { pageSize: SHOWN, sort: "-occurredAt" } },
    },
    { refetchInterval: REFRESH_MS },
  );
  return (
    <Section
      title={t`Timeline`}
      actions={
        <Button component={Link} to={`/licenses/${license.id}/events`} size="small">
          {t`All events`}
        </Button>
      }
    >
      <Timeline events={data && eventsOf(data.items)} />
    </Section>
  );
}
