import { plural, t } from "@lingui/core/macro";
import Skeleton from "@mui/material/Skeleton";
import { Link } from "react-router";
import { $api } from "../../api/client";
import type { Schemas } from "../../api/types";
import { EmptyState } from "../../ui/EmptyState";
import { date, number } from "../../ui/formats";
import { ProductIcon } from "../../ui/icons";
import { MODEL_LABELS } from "../../ui/labels";
import { ButtonLink } from "../../ui/PageLink";
import { Pages, usePageNumber } from "../../ui/Pages";
import { ProblemAlert } from "../../ui/ProblemAlert";
import { Section } from "../../ui/Section";
import { StatusChip } from "../../ui/StatusChip";
import { useInstitution } from "../../ui/useInstitution";
import { inShort } from "../licenseText";
import styles from "./received.module.css";
import {
  invitationOf,
  type ReceivedAssociation,
  ReceivedFrame,
  ReviewButton,
} from "./ReceivedFrame";

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

const SHOWN = 5;

const stateOf = (association: ReceivedAssociation): string =>
  association.acceptedAt === null
    ? invitationOf(association)
    : t`Associated since ${{ day: date(association.acceptedAt) }}.`;

/** A product of a vendor: its state, and the licenses that the institution holds of it. */
function HeldProduct({ association }: { association: ReceivedAssociation }) {
  const { institutionId, productId, productName, vendorName, status } = association;
  return (
    <Section
      title={productName}
      subtitle={`${vendorName}. ${stateOf(association)}`}
      actions={
        <>
          <ReviewButton association={association} />
          <StatusChip status={status} />
        </>
      }
    >
      {productId && <HeldLicenses institutionId={institutionId} productId={productId} />}
    </Section>
  );
}

interface HeldLicensesProps {
  institutionId: string;
  productId: string;
}

function HeldLicenses({ institutionId, productId }: HeldLicensesProps) {
  const { data, error, refetch } = $api.useQuery("get", "/api/received-licenses", {
    params: { query: { institutionId, productId, pageSize: SHOWN, sort: "-createdAt" } },
  });
  if (error) return <ProblemAlert error={error} retry={() => void refetch()} />;
  if (!data) return <Skeleton variant="rounded" height={44} />;
  if (data.items.length === 0)
    return <p className={styles.none}>{t`No license yet. The vendor issues them.`}</p>;
  const total = data.totalCount ?? data.items.length;
  const count = number(total);
  return (
    <>
      <ul className={styles.licenses}>
        {data.items.map((license) => (
          <HeldLicense key={license.id} license={license} />
        ))}
      </ul>
      {total > data.items.length && (
        <ButtonLink
          to={`/received-licenses?productId=${productId}`}
          size="small"
          className={styles.all}
        >
          {plural(total, { other: `All ${count} licenses` })}
        </ButtonLink>
      )}
    </>
  );
}

const HeldLicense = ({ license }: { license: Schemas["ReceivedLicense"] }) => (
  <li>
    <Link to={`/received-licenses/${license.id}`} dir="auto" className={styles.name}>
      {license.licenseName}
    </Link>
    <span className={styles.facts}>
      {MODEL_LABELS[license.type]} · {inShort(license)}
    </span>
    <StatusChip status={license.status} />
  </li>
);
