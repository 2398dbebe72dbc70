import Box from "@mui/material/Box";
import Card from "@mui/material/Card";
import CardActionArea from "@mui/material/CardActionArea";
import CardContent from "@mui/material/CardContent";
import Pagination from "@mui/material/Pagination";
import Skeleton from "@mui/material/Skeleton";
import Stack from "@mui/material/Stack";
import Typography from "@mui/material/Typography";
import { Link, useSearchParams } from "react-router";
import { $api } from "../api/client";
import type { Schemas } from "../api/types";
import { EmptyState } from "../ui/EmptyState";
import { Page } from "../ui/Page";
import { ProblemAlert } from "../ui/ProblemAlert";
import { StatusChip } from "../ui/StatusChip";
import { useInstitution } from "../ui/useInstitution";
import { inShort } from "./wording";

const PAGE_SIZE = 24;
const GRID = {
  display: "grid",
  gap: 2,
  gridTemplateColumns: "repeat(auto-fill, minmax(min(100%, 320px), 1fr))",
};

export function OwnLicensesPage() {
  const { profile } = useInstitution();
  const [search, setSearch] = useSearchParams();
  const page = Math.max(1, Number(search.get("page")) || 1);
  const { data, error, refetch } = $api.useQuery("get", "/api/portal/licenses", {
    params: { query: { page, pageSize: PAGE_SIZE } },
  });
  const pages = Math.ceil((data?.totalCount ?? 0) / PAGE_SIZE);
  return (
    <Page title="My licenses" subtitle={profile && `Issued to ${profile.email}`}>
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
          <EmptyState title="No license is issued to this address">
            Licenses show up here as soon as a vendor issues one to {profile?.email}. You may have
            bought with another address: sign in with that one.
          </EmptyState>
        </Card>
      )}
      {data && data.items.length > 0 && (
        <Box component="ul" aria-label="Licenses" sx={{ ...GRID, m: 0, p: 0, listStyle: "none" }}>
          {data.items.map((license) => (
            <OwnLicenseCard key={license.id} license={license} />
          ))}
        </Box>
      )}
      {pages > 1 && (
        <Stack sx={{ mt: 3, alignItems: "center" }}>
          <Pagination
            count={pages}
            page={page}
            onChange={(_, next) => {
              setSearch({ page: String(next) });
            }}
          />
        </Stack>
      )}
    </Page>
  );
}

const OwnLicenseCard = ({ license }: { license: Schemas["PortalLicenseView"] }) => (
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
