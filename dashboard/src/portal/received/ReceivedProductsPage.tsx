import { t } from "@lingui/core/macro";
import Skeleton from "@mui/material/Skeleton";
import { $api } from "../../api/client";
import { EmptyState } from "../../ui/EmptyState";
import { ProductIcon } from "../../ui/icons";
import { Pages, usePageNumber } from "../../ui/Pages";
import { ProblemAlert } from "../../ui/ProblemAlert";
import { useInstitution } from "../../ui/useInstitution";
import { HeldProduct } from "./HeldProduct";
import styles from "./received.module.css";
import { ReceivedFrame } from "./ReceivedFrame";

const PAGE_SIZE = 10;

/** The products whose vendors license them to the current institution, with their licenses. */
export default function ReceivedProductsPage() {
  const { institutionId } = useInstitution();
  return (
    <ReceivedFrame current="products">
      {institutionId && <Products institutionId={institutionId} />}
    </ReceivedFrame>
  );
}

function Products({ institutionId }: { institutionId: string }) {
  const page = usePageNumber();
  const { data, error, refetch } = $api.useQuery("get", "/api/associations", {
    params: { query: { institutionId, page, pageSize: PAGE_SIZE, sort: "-createdAt" } },
  });
  if (error) return <ProblemAlert error={error} retry={() => void refetch()} />;
  if (!data) return <Skeleton variant="rounded" height={180} />;
  if (data.items.length === 0)
    return (
      <EmptyState icon={<ProductIcon />} title={t`No products yet`}>
        {t`A product appears here when its vendor invites your institution, and stays once an Owner has accepted.`}
      </EmptyState>
    );
  return (
    <div className={styles.products}>
      {data.items.map((item) => (
        <HeldProduct key={item.id} association={item} />
      ))}
      <Pages total={data.totalCount ?? undefined} pageSize={PAGE_SIZE} label={t`Products`} />
    </div>
  );
}
