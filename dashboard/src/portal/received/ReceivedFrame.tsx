import { t } from "@lingui/core/macro";
import type { ReactNode } from "react";
import { Page } from "../../ui/Page";
import { TabLinks } from "../../ui/RouteTabs";
import { useInstitution } from "../../ui/useInstitution";

const TABS = [
  { path: "", label: t`Licenses` },
  { path: "products", label: t`Products` },
] as const;

interface ReceivedFrameProps {
  current: (typeof TABS)[number]["path"];
  children: ReactNode;
}

/** What vendors license to the current institution: one by one, or by product. */
export function ReceivedFrame({ current, children }: ReceivedFrameProps) {
  const { institutionName } = useInstitution();
  return (
    <Page
      title={t`Received licenses`}
      help="associations"
      subtitle={institutionName && t`Issued to ${institutionName} by its vendors`}
    >
      <TabLinks base="/received-licenses" label={t`Received`} tabs={TABS} current={current} />
      <div role="tabpanel" aria-label={TABS.find(({ path }) => path === current)?.label}>
        {children}
      </div>
    </Page>
  );
}
