import { t } from "@lingui/core/macro";
import { useParams } from "react-router";
import { $api, at } from "../api/client";
import { SettingsIcon } from "../ui/icons";
import { Page } from "../ui/Page";
import { ButtonLink } from "../ui/PageLink";
import { RouteTabs, type RouteTab } from "../ui/RouteTabs";
import { settingsPath } from "../ui/paths";
import { useCan, useInstitution } from "../ui/useInstitution";
import { SwitchInstitution } from "./list/SwitchInstitution";
import { OverviewTab } from "./overview/OverviewTab";
import { InstitutionProblem } from "./parts/InstitutionProblem";
import { ProductsTab } from "./ProductsTab";

const BACK = { to: "/institutions", label: t`Institutions` };

/** An institution, with a tab for each area. */
export default function InstitutionPage() {
  const { institutionId = "" } = useParams();
  const can = useCan(institutionId);
  const { profile } = useInstitution();
  const { data: institution, error } = $api.useQuery(
    "get",
    "/api/institutions/{institutionId}",
    at({ institutionId }),
  );
  if (error)
    return (
      <Page title={t`Institution`} back={BACK}>
        <InstitutionProblem institutionId={institutionId} error={error} />
      </Page>
    );
  const shared = { institutionId, can };
  const tabs: RouteTab[] = [
    { path: "", label: t`Overview`, element: <OverviewTab {...shared} /> },
    { path: "products", label: t`Products`, element: <ProductsTab {...shared} /> },
  ];
  return (
    <Page
      title={institution?.name ?? t`Institution`}
      help="team-and-roles"
      back={BACK}
      actions={
        institution && (
          <>
            <SwitchInstitution institution={institution} />
            <ButtonLink
              to={settingsPath(institutionId)}
              variant="outlined"
              size="small"
              startIcon={<SettingsIcon />}
            >
              {t`Settings`}
            </ButtonLink>
          </>
        )
      }
    >
      {profile && (
        <RouteTabs base={`/institutions/${institutionId}`} label={t`Institution`} tabs={tabs} />
      )}
    </Page>
  );
}
