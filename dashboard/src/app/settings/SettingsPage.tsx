import { t } from "@lingui/core/macro";
import { Navigate, useLocation, useParams } from "react-router";
import { EmptyState } from "../../ui/EmptyState";
import { Page } from "../../ui/Page";
import { SkeletonRows } from "../../ui/SkeletonRows";
import { useInstitution } from "../../ui/useInstitution";
import { settingsPath } from "../../ui/paths";
import { InstitutionSettings } from "./InstitutionSettings";
import { MOVED_TABS } from "./tabs";

const base = (asked: string | undefined) => (asked ? settingsPath(asked) : "/settings");

/** The settings of an institution: of the one that the address names, or of the current one. */
export default function SettingsPage() {
  const { institutionId: asked, "*": tab = "" } = useParams();
  const { search } = useLocation();
  const { profile, institutionId: current } = useInstitution();
  if (!profile)
    return (
      <Page title={t`Settings`}>
        <SkeletonRows />
      </Page>
    );
  if (asked !== undefined && asked === current)
    return <Navigate to={`/settings${tab && `/${tab}`}${search}`} replace />;
  const moved = MOVED_TABS[tab];
  if (moved) return <Navigate to={`${base(asked)}/${moved}${search}`} replace />;
  const institutionId = asked ?? current;
  if (!institutionId)
    return (
      <Page title={t`Settings`}>
        <EmptyState title={t`You have no institution yet`}>
          {t`Settings belong to an institution. Create one, or ask to be invited to one.`}
        </EmptyState>
      </Page>
    );
  return <InstitutionSettings key={institutionId} institutionId={institutionId} />;
}
