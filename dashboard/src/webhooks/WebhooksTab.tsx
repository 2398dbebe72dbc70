import { t } from "@lingui/core/macro";
import Button from "@mui/material/Button";
import Card from "@mui/material/Card";
import { Link } from "react-router";
import { AddIcon, WebhookIcon } from "../ui/icons";
import { $api } from "../api/client";
import { EmptyState } from "../ui/EmptyState";
import { Pages, usePageNumber } from "../ui/Pages";
import { ProblemAlert } from "../ui/ProblemAlert";
import { TabHeading } from "../ui/TabHeading";
import { useCan } from "../ui/useInstitution";
import { NoWebhookAccess } from "./NoWebhookAccess";
import { WEBHOOKS } from "./webhook";
import { WebhookTable } from "./WebhookTable";

const PAGE_SIZE = 25;

interface OfInstitution {
  institutionId: string;
}

const NewButton = ({ institutionId }: OfInstitution) => (
  <Button
    component={Link}
    to={`/webhooks/new?institutionId=${institutionId}`}
    variant="contained"
    startIcon={<AddIcon />}
  >
    {t`New webhook`}
  </Button>
);

const NoWebhooks = ({ institutionId }: OfInstitution) => (
  <Card>
    <EmptyState
      icon={<WebhookIcon />}
      title={t`No webhooks yet`}
      action={<NewButton institutionId={institutionId} />}
    >
      {t`A webhook notifies your own systems of events within seconds: your shop when a license is renewed, or your chat when a balance is used up. Events are signed, and delivery is retried for three days.`}
    </EmptyState>
  </Card>
);

function Webhooks({ institutionId }: OfInstitution) {
  const page = usePageNumber();
  const query = { institutionId, page, pageSize: PAGE_SIZE, sort: "createdAt" };
  const { data, error, refetch } = $api.useQuery("get", WEBHOOKS, { params: { query } });
  if (error) return <ProblemAlert error={error} retry={() => void refetch()} />;
  if (data?.items.length === 0 && page === 1) return <NoWebhooks institutionId={institutionId} />;
  return (
    <>
      <WebhookTable webhooks={data?.items} />
      <Pages total={data?.totalCount} pageSize={PAGE_SIZE} label={t`Webhooks`} />
    </>
  );
}

/** The webhooks of an institution. */
export function WebhooksTab({ institutionId }: OfInstitution) {
  const { manage } = useCan(institutionId);
  if (!manage) return <NoWebhookAccess />;
  return (
    <>
      <TabHeading
        title={t`Webhooks`}
        help="webhooks"
        action={<NewButton institutionId={institutionId} />}
      >
        {t`Send events to your own systems as they happen.`}
      </TabHeading>
      <Webhooks institutionId={institutionId} />
    </>
  );
}
