import { t } from "@lingui/core/macro";
import { useParams } from "react-router";
import { $api } from "../api/client";
import { asProblem } from "../api/problem";
import { Page } from "../ui/Page";
import { ProblemAlert } from "../ui/ProblemAlert";
import { LicenseView } from "./detail/LicenseView";
import { LicenseSkeleton } from "./detail/LicenseSkeleton";
import { MissingLicense } from "./detail/MissingLicense";

/** Keeps status and counts up to date. */
const REFRESH_MS = 15_000;

export default function LicensePage() {
  const { licenseId = "" } = useParams();
  const {
    data: license,
    error,
    refetch,
  } = $api.useQuery(
    "get",
    "/api/licenses/{licenseId}",
    { params: { path: { licenseId } } },
    { refetchInterval: REFRESH_MS },
  );
  if (error && asProblem(error).status === 404) return <MissingLicense />;
  if (license) return <LicenseView license={license} />;
  if (!error) return <LicenseSkeleton />;
  return (
    <Page title={t`License`} back={{ to: "/licenses", label: t`Licenses` }}>
      <ProblemAlert error={error} retry={() => void refetch()} />
    </Page>
  );
}
