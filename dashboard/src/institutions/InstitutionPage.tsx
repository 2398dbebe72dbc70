import { t } from "@lingui/core/macro";
import { Suspense } from "react";
import { useParams } from "react-router";
import { $api } from "../api/client";
import { asProblem } from "../api/problem";
import { Page } from "../ui/Page";
import { ProblemAlert } from "../ui/ProblemAlert";
import { RouteTabs, type RouteTab } from "../ui/RouteTabs";
import { useCan, useInstitution } from "../ui/useInstitution";
import { AuditTab } from "./audit/AuditTab";
import { InvitationsTab } from "./invitations/InvitationsTab";
import { SwitchInstitution } from "./list/SwitchInstitution";
import { MembersTab } from "./members/MembersTab";
import { OverviewTab } from "./overview/OverviewTab";
import { IpAllowListSection } from "./settings/IpAllowListSection";
import { SettingsTab } from "./settings/SettingsTab";
import { ProductsTab } from "./ProductsTab";
import { lazy } from "../ui/lazy";

const SingleSignOnTab = lazy(() => import("./sso/SingleSignOnTab"));

const BACK = { to: "/institutions", label: t`Institutions` };

/** An institution, with a tab for each area. */
export default function InstitutionPage() {
  const { institutionId = "" } = useParams();
  const can = useCan(institutionId);
  const { profile } = useInstitution();
  const { data: institution, error } = $api.useQuery("get", "/api/institutions/{institutionId}", {
    params: { path: { institutionId } },
  });
  if (error) {
    // A system Admin can fix an IP allow-list that locks everyone out, themselves included.
    const mends = asProblem(error).code === "Forbidden" && can.isSystemAdmin;
    return (
      <Page title={t`Institution`} back={BACK}>
        <ProblemAlert error={error} />
        {mends && <IpAllowListSection institutionId={institutionId} />}
      </Page>
    );
  }
  const shared = { institutionId, can };
  const tabs: (RouteTab | false)[] = [
    {
      path: "",
      label: t`Overview`,
      element: <OverviewTab {...shared} institution={institution} />,
    },
    { path: "products", label: t`Products`, element: <ProductsTab {...shared} /> },
    { path: "members", label: t`Members`, element: <MembersTab {...shared} /> },
    can.manage && {
      path: "invitations",
      label: t`Invitations`,
      element: <InvitationsTab {...shared} />,
    },
    can.manage && { path: "audit", label: t`Audit`, element: <AuditTab {...shared} /> },
    can.own && {
      path: "single-sign-on",
      label: t`Single sign-on`,
      element: (
        <Suspense fallback={null}>
          <SingleSignOnTab institutionId={institutionId} />
        </Suspense>
      ),
    },
    {
      path: "settings",
      label: t`Settings`,
      element: <SettingsTab {...shared} institution={institution} />,
    },
  ];
  return (
    <Page
      title={institution?.name ?? t`Institution`}
      help="team-and-roles"
      back={BACK}
      actions={institution && <SwitchInstitution institution={institution} />}
    >
      {profile && (
        <RouteTabs
          base={`/institutions/${institutionId}`}
          label={t`Institution`}
          tabs={tabs.filter((tab) => tab !== false)}
        />
      )}
    </Page>
  );
}
