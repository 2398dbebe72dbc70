import { t } from "@lingui/core/macro";
import Card from "@mui/material/Card";
import CardActionArea from "@mui/material/CardActionArea";
import CardContent from "@mui/material/CardContent";
import Skeleton from "@mui/material/Skeleton";
import Typography from "@mui/material/Typography";
import { Link } from "react-router";
import { $api } from "../api/client";
import type { Schemas } from "../api/types";
import { EmptyState } from "../ui/EmptyState";
import { Column } from "../ui/layout/layout";
import { Page } from "../ui/Page";
import { Pages, usePageNumber } from "../ui/Pages";
import { ProblemAlert } from "../ui/ProblemAlert";
import { StatusChip } from "../ui/StatusChip";
import { useInstitution } from "../ui/useInstitution";
import { inShort } from "./licenseText";
import styles from "./portal.module.css";
import { useVendor } from "../ui/vendor/useVendor";
import { Welcome } from "../ui/vendor/VendorWords";

const PAGE_SIZE = 24;

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
        <div className={styles.cards} aria-busy>
          {[1, 2, 3].map((n) => (
            <Skeleton key={n} variant="rounded" height={148} />
          ))}
        </div>
      )}
      {data?.items.length === 0 && (
        <Card>
          <EmptyState title={t`No licenses yet`}>
            {t`Licenses appear here when a vendor issues one to ${{ email: profile?.email ?? "" }}. If you bought with another email address, sign in with that one.`}
          </EmptyState>
        </Card>
      )}
      {data && data.items.length > 0 && (
        <ul aria-label={t`Licenses`} className={styles.cards}>
          {data.items.map((license) => (
            <PortalLicenseCard key={license.id} license={license} />
          ))}
        </ul>
      )}
      <Pages total={data?.totalCount ?? undefined} pageSize={PAGE_SIZE} label={t`Licenses`} />
    </Page>
  );
}

const PortalLicenseCard = ({ license }: { license: Schemas["PortalLicense"] }) => (
  <Card component="li" className={styles.card}>
    <CardActionArea component={Link} to={`/portal/licenses/${license.id}`}>
      <CardContent className={styles.content}>
        <Column gap="s" align="start">
          <StatusChip status={license.status} />
          <Typography variant="h6" component="h2">
            {license.productName}
          </Typography>
          <Typography>{license.licenseName}</Typography>
          <Typography variant="body2" color="textSecondary">
            {inShort(license)}
          </Typography>
        </Column>
      </CardContent>
    </CardActionArea>
  </Card>
);
