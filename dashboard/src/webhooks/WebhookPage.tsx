import { t } from "@lingui/core/macro";
import { useParams } from "react-router";
import { $api } from "../api/client";
import { Page } from "../ui/Page";
import { ProblemAlert } from "../ui/ProblemAlert";
import { useInstitution, useManagesAny } from "../ui/useInstitution";
import { NoWebhookAccess } from "./NoWebhookAccess";
import { WEBHOOK } from "./webhook";
import { WebhookView } from "./WebhookView";

const BACK = { to: "/settings/webhooks", label: t`Webhooks` };
/** Deliveries can change a webhook: a 410 response disables it. */
const REFRESHED_EVERY_MS = 5_000;

function WebhookLoader({ webhookId }: { webhookId: string }) {
  const { data, error, refetch } = $api.useQuery(
    "get",
    WEBHOOK,
    { params: { path: { webhookId } } },
    { refetchInterval: ({ state }) => (state.error ? false : REFRESHED_EVERY_MS) },
  );
  if (data) return <WebhookView webhook={data} />;
  return (
    <Page title={t`Webhook`} help="webhooks" back={BACK}>
      {error && <ProblemAlert error={error} retry={() => void refetch()} />}
    </Page>
  );
}

export default function WebhookPage() {
  const { webhookId = "" } = useParams();
  const { institutionId } = useInstitution();
  const mayManage = useManagesAny();
  if (institutionId === undefined || !mayManage)
    return (
      <Page title={t`Webhook`} help="webhooks" back={BACK}>
        {institutionId !== undefined && <NoWebhookAccess />}
      </Page>
    );
  return <WebhookLoader key={webhookId} webhookId={webhookId} />;
}
