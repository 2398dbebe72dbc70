import { t } from "@lingui/core/macro";
import Skeleton from "@mui/material/Skeleton";
import { useParams } from "react-router";
import { $api, at } from "../api/client";
import { asProblem } from "../api/problem";
import { EmptyState } from "../ui/EmptyState";
import { NothingFoundIcon } from "../ui/icons";
import { Page } from "../ui/Page";
import { ButtonLink } from "../ui/PageLink";
import { ProblemAlert } from "../ui/ProblemAlert";
import { SkeletonRows } from "../ui/SkeletonRows";
import { LicenseView } from "./detail/LicenseView";

/** Keeps status and counts up to date. */
const REFRESH_MS = 15_000;

export default function LicensePage() {
  const { licenseId = "" } = useParams();
  const {
    data: license,
    error,
    refetch,
  } = $api.useQuery("get", "/api/licenses/{licenseId}", at({ licenseId }), {
    refetchInterval: REFRESH_MS,
  });
  if (error && asProblem(error).status === 404) return <MissingLicense />;
  if (license) return <LicenseView license={license} />;
  if (!error) return <LicenseSkeleton />;
  return (
    <Page title={t`License`} back={{ to: "/licenses", label: t`Licenses` }}>
      <ProblemAlert error={error} retry={() => void refetch()} />
    </Page>
  );
}

/** Placeholder while the license is loading. */
const LicenseSkeleton = () => (
  <Page
    title={t`License`}
    back={{ to: "/licenses", label: t`Licenses` }}
    subtitle={<Skeleton width="22ch" />}
  >
    <SkeletonRows />
  </Page>
);

const MissingLicense = () => (
  <Page title={t`License not found`} back={{ to: "/licenses", label: t`Licenses` }}>
    <EmptyState
      icon={<NothingFoundIcon />}
      title={t`This license does not exist`}
      action={
        <ButtonLink to="/licenses" variant="contained">
          {t`All licenses`}
        </ButtonLink>
      }
    >
      {t`It may have been deleted, or you may not have access to its institution or product. Search the list for its name or key.`}
    </EmptyState>
  </Page>
);
