import { t } from "@lingui/core/macro";
import Button from "@mui/material/Button";
import Skeleton from "@mui/material/Skeleton";
import { LicenseIcon, NothingFoundIcon } from "../../ui/icons";
import { $api } from "../../api/client";
import type { Product } from "../../api/types";
import { EmptyState } from "../../ui/EmptyState";
import { NoneAssigned } from "../../ui/NoneAssigned";
import { ButtonLink } from "../../ui/PageLink";
import { useCan, useInstitution } from "../../ui/useInstitution";
import { useLicenseList } from "./useLicenseList";

/** The next step towards the first license. */
function nextStep(products: Product[]): { text: string; label: string; to: string } {
  const [first] = products;
  if (!first)
    return {
      text: t`A license belongs to a product. Create a product first, then issue licenses for it.`,
      label: t`Create product`,
      to: "/products/new",
    };
  if (!products.some((product) => product.hasKeys))
    return {
      text: t`Licenses are signed with the RSA keys of their product. ${{ product: first.name }} has none yet, so generate them first.`,
      label: t`Generate RSA keys`,
      to: `/products/${first.id}/keys`,
    };
  return {
    text: t`A license is what a customer buys: a license key and a signed file. Choose a model, a customer and a term.`,
    label: t`Issue your first license`,
    to: "/licenses/new",
  };
}

/** Says why the list is empty, and what to do. */
export default function ListEmpty() {
  const { filters } = useLicenseList();
  return Object.keys(filters).length === 0 ? <NoLicenses /> : <NoMatches />;
}

/** Empty state for an institution without licenses. */
function NoLicenses() {
  const { institutionId } = useInstitution();
  const can = useCan();
  const { data } = $api.useQuery("get", "/api/products", {
    params: { query: { institutionId: institutionId ?? null, pageSize: 100 } },
  });
  if (!data) return <Skeleton variant="rounded" height={220} />;
  if (can.role === "Member" && data.items.length === 0) return <NoneAssigned />;
  const step = nextStep(data.items);
  return (
    <EmptyState
      icon={<LicenseIcon />}
      title={t`No licenses yet`}
      action={
        can.manage && (
          <ButtonLink to={step.to} variant="contained">
            {step.label}
          </ButtonLink>
        )
      }
    >
      {can.manage
        ? step.text
        : t`Licenses issued by the Owners and Admins of the institution appear here.`}
    </EmptyState>
  );
}

/** Empty state if no license matches the filters. */
function NoMatches() {
  const { clearFilters } = useLicenseList();
  return (
    <EmptyState
      icon={<NothingFoundIcon />}
      title={t`No matching licenses`}
      action={
        <Button variant="outlined" onClick={clearFilters}>
          {t`Clear all filters`}
        </Button>
      }
    >
      {t`Search matches the beginning of words in the license name, “Issued to” and issuer, and the beginning of a license key. Try removing a filter.`}
    </EmptyState>
  );
}
