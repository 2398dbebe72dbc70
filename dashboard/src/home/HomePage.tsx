import { t } from "@lingui/core/macro";
import { Navigate } from "react-router";
import { lazy } from "../ui/lazy";
import { Page } from "../ui/Page";
import { SkeletonRows } from "../ui/SkeletonRows";
import { useInstitution } from "../ui/useInstitution";
import { InstitutionHome } from "./InstitutionHome";

const CreateInstitution = lazy(() => import("./CreateInstitution"));

/** The home page of the current institution. */
export default function HomePage() {
  const { profile, institutionId } = useInstitution();
  if (!profile || institutionId === undefined)
    return (
      <Page title={t`Home`}>
        <SkeletonRows />
      </Page>
    );
  if (institutionId !== null)
    return <InstitutionHome key={institutionId} institutionId={institutionId} />;
  return <WithoutInstitution isSystemAdmin={profile.isSystemAdmin} />;
}

const WithoutInstitution = ({ isSystemAdmin }: { isSystemAdmin: boolean }) =>
  isSystemAdmin ? <CreateInstitution /> : <Navigate to="/portal" replace />;
