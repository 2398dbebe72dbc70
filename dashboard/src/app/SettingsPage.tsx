import { t } from "@lingui/core/macro";
import { $api } from "../api/client";
import { SettingsTab } from "../institutions/settings/SettingsTab";
import { ApiKeysTab } from "../keys/ApiKeysTab";
import { EmptyState } from "../ui/EmptyState";
import { Page } from "../ui/Page";
import { RouteTabs } from "../ui/RouteTabs";
import { useCan, useInstitution } from "../ui/useInstitution";

/** Settings of the current institution, and its API keys. */
export default function SettingsPage() {
  const { institutionId, profile } = useInstitution();
  return (
    <Page title={t`Settings`}>
      {profile && (
        <RouteTabs
          base="/settings"
          label={t`Settings`}
          tabs={[
            {
              path: "",
              label: t`General`,
              element: institutionId ? <General institutionId={institutionId} /> : <None />,
            },
            { path: "api-keys", label: t`API keys`, element: <ApiKeysTab /> },
          ]}
        />
      )}
    </Page>
  );
}

function General({ institutionId }: { institutionId: string }) {
  const can = useCan(institutionId);
  const { data: institution } = $api.useQuery("get", "/api/institutions/{institutionId}", {
    params: { path: { institutionId } },
  });
  return (
    <SettingsTab
      key={institutionId}
      institutionId={institutionId}
      can={can}
      institution={institution}
    />
  );
}

const None = () => (
  <EmptyState title={t`You have no institution yet`}>
    {t`Settings belong to an institution. Create one, or ask to be invited to one.`}
  </EmptyState>
);
