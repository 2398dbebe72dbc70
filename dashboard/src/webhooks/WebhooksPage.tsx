import { t } from "@lingui/core/macro";
import Button from "@mui/material/Button";
import Card from "@mui/material/Card";
import { Link } from "react-router";
import { AddIcon, WebhookIcon } from "../ui/icons";
import { $api } from "../api/client";
import { EmptyState } from "../ui/EmptyState";
import { Page } from "../ui/Page";
import { Pages, usePageNumber } from "../ui/Pages";
import { ProblemAlert } from "../ui/ProblemAlert";
import { useCan, useInstitution } from "../ui/useInstitution";
import { NoWebhookAccess } from "./NoWebhookAccess";
import { WEBHOOKS } from "./webhook";
import { WebhookTable } from "./WebhookTable";

const PAGE_SIZE = 25;

const NewButton = () => (
  <Button component={Link} to="/webhooks/new" variant="contained" startIcon={<AddIcon />}>
    {t`New webhook`}
  </Button>
);

const NoWebhooks = () => (
  <Card>
    <EmptyState icon={<WebhookIcon />} title={t`No webhooks yet`} action={<NewButton />}>
      {t`A webhook notifies your own systems of events within seconds: your shop when a license is renewed, or your chat when a balance is used up. Events are signed, and delivery is retried for three days.`}
    </EmptyState>
  </Card>
);

function Webhooks({ institutionId }: { institutionId: string }) {
  const page = usePageNumber();
  const query = { institutionId, page, pageSize: PAGE_SIZE, sort: "createdAt" };
  const { data, error, refetch } = $api.useQuery("get", WEBHOOKS, { params: { query } });
  if (error) return <ProblemAlert error={error} retry={() => void refetch()} />;
  if (data?.items.length === 0 && page === 1) return <NoWebhooks />;
  return (
    <>
      <WebhookTable webhooks={data?.items} />
      <Pages total={data?.totalCount} pageSize={PAGE_SIZE} label={t`Webhooks`} />
    </>
  );
}

export default function WebhooksPage() {
  const { institutionId } = useInstitution();
  const { manage } = useCan();
  const isKnown = institutionId !== undefined;
  return (
    <Page
      title={t`Webhooks`}
      help="webhooks"
      subtitle={t`Send events to your own systems as they happen.`}
      actions={manage && institutionId && <NewButton />}
    >
      {institutionId && manage && <Webhooks institutionId={institutionId} />}
      {isKnown && !(institutionId && manage) && <NoWebhookAccess />}
    </Page>
  );
}
