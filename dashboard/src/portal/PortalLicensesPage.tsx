import { t } from "@lingui/core/macro";
import Box from "@mui/material/Box";
import Card from "@mui/material/Card";
import CardActionArea from "@mui/material/CardActionArea";
import CardContent from "@mui/material/CardContent";
import Skeleton from "@mui/material/Skeleton";
import Stack from "@mui/material/Stack";
import Typography from "@mui/material/Typography";
import { Link } from "react-router";
import { $api } from "../api/client";
import type { Schemas } from "../api/types";
import { EmptyState } from "../ui/EmptyState";
import { Page } from "../ui/Page";
import { Pages, usePageNumber } from "../ui/Pages";
import { ProblemAlert } from "../ui/ProblemAlert";
import { StatusChip } from "../ui/StatusChip";
import { useInstitution } from "../ui/useInstitution";
import { inShort } from "./licenseText";
import { useVendor } from "../ui/vendor/useVendor";
import { Welcome } from "../ui/vendor/VendorWords";

const PAGE_SIZE = 24;
const GRID = {
  display: "grid",
  gap: 2,
  gridTemplateColumns: "repeat(auto-fill, minmax(min(100%, 320px), 1fr))",
};

export function PortalLicensesPage() {
  const { profile } = useInstitution();
  const page = usePageNumber();
  const vendor = useVendor();
  const { data, error, refetch } = $api.useQuery("get", "/api/portal/licenses", {
    params: { query: { page, pageSize: PAGE_SIZE } },
  });
  return (
    <Page title={t`My licenses`} subtitle={profile && t`Issued to ${{ email: profile.email }}`}>
      {vendor && <Welcome vendor={vendor} />}
      {error && <ProblemAlert error={error} retry={() => void refetch()} />}
      {!error && !data && (
        <Box sx={GRID} aria-busy>
          {[1, 2, 3].map((n) => (
            <Skeleton key={n} variant="rounded" height={148} />
          ))}
        </Box>
      )}
      {data?.items.length === 0 && (
        <Card>
          <EmptyState title={t`No licenses yet`}>
            {t`Licenses appear here when a vendor issues one to ${{ email: profile?.email ?? "" }}. If you bought with another email address, sign in with that one.`}
          </EmptyState>
        </Card>
      )}
      {data && data.items.length > 0 && (
        <Box
          component="ul"
          aria-label={t`Licenses`}
          sx={{ ...GRID, m: 0, p: 0, listStyle: "none" }}
        >
          {data.items.map((license) => (
            <PortalLicenseCard key={license.id} license={license} />
          ))}
        </Box>
      )}
      <Pages total={data?.totalCount ?? undefined} pageSize={PAGE_SIZE} label={t`Licenses`} />
    </Page>
  );
}

const PortalLicenseCard = ({ license }: { license: Schemas["PortalLicense"] }) => (
  <Card component="li" sx={{ display: "flex" }}>
    <CardActionArea component={Link} to={`/portal/licenses/${license.id}`}>
      <CardContent sx={{ height: "100%" }}>
        <Stack sx={{ gap: 0.75, alignItems: "flex-start", overflowWrap: "anywhere" }}>
          <StatusChip status={license.status} />
          <Typography variant="h6" component="h2">
            {license.productName}
          </Typography>
          <Typography>{license.licenseName}</Typography>
          <Typography variant="body2" color="textSecondary">
            {inShort(license)}
          </Typography>
        </Stack>
      </CardContent>
    </CardActionArea>
  </Card>
);
