import { t } from "@lingui/core/macro";
import { ListContext } from "../ui/list/useList";
import { Page } from "../ui/Page";
import { SkeletonRows } from "../ui/SkeletonRows";
import { useCan, useInstitution } from "../ui/useInstitution";
import { useExtras } from "./list/columns";
import { ListBody } from "./list/ListBody";
import { ListToolbar } from "./list/ListToolbar";
import { useLicensesOf } from "./list/useLicenseList";
import { AddLink } from "../ui/AddButton";

/** The licenses of the institution, with search, filters, saved views and bulk actions. */
export default function LicensesPage() {
  const { institutionId } = useInstitution();
  if (institutionId === undefined) return <LicensesSkeleton />;
  return <Licenses key={institutionId} institutionId={institutionId} />;
}

const LicensesSkeleton = () => (
  <Page title={t`Licenses`} help="license-lifecycle">
    <SkeletonRows />
  </Page>
);

function Licenses({ institutionId }: { institutionId: string | null }) {
  const list = useLicensesOf(institutionId, useExtras());
  const can = useCan();
  const { productId } = list.filters;
  const of = productId ? `?productId=${productId}` : "";
  const toImport = `/licenses/import${of}`;
  return (
    <ListContext value={list}>
      <Page
        title={t`Licenses`}
        help="license-lifecycle"
        actions={can.manage && <AddLink to={`/licenses/new${of}`}>{t`Issue license`}</AddLink>}
      >
        <ListToolbar {...(can.manage && { toImport })} />
        <ListBody />
      </Page>
    </ListContext>
  );
}
