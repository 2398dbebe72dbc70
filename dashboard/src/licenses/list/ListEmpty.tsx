import LicenseIcon from "@mui/icons-material/ReceiptLongOutlined";
import SearchOffIcon from "@mui/icons-material/SearchOff";
import Button from "@mui/material/Button";
import Skeleton from "@mui/material/Skeleton";
import { Link } from "react-router";
import { $api } from "../../api/client";
import type { Product } from "../../api/types";
import { EmptyState } from "../../ui/EmptyState";
import { useCan, useInstitution } from "../../ui/useInstitution";
import { useLicenseList } from "./useLicenseList";

const big = { fontSize: "large", color: "disabled" } as const;

/** What has to be done before the first license can be: one thing at a time. */
function nextStep(products: Product[]): { text: string; label: string; to: string } {
  const [first] = products;
  if (!first)
    return {
      text: "A license belongs to a product. Make a product first, then issue licenses for it.",
      label: "Make a product",
      to: "/products/new",
    };
  if (!products.some((product) => product.hasKeys))
    return {
      text: `Licenses are signed with the RSA keys of their product, and ${first.name} has none yet. Generate them first.`,
      label: "Generate RSA keys",
      to: `/products/${first.id}/keys`,
    };
  return {
    text: "A license is what a customer buys: a key and a signed file. Choose a model, say for whom it is and for how long.",
    label: "Issue the first license",
    to: "/licenses/new",
  };
}

/** The institution has no license yet. */
export function NoLicenses() {
  const { institutionId } = useInstitution();
  const can = useCan();
  const { data } = $api.useQuery("get", "/api/products", {
    params: { query: { institutionId: institutionId ?? null, pageSize: 100 } },
  });
  if (!data) return <Skeleton variant="rounded" height={220} />;
  const step = nextStep(data.items);
  return (
    <EmptyState
      icon={<LicenseIcon {...big} />}
      title="No licenses yet"
      action={
        can.manage && (
          <Button component={Link} to={step.to} variant="contained" sx={{ mt: 1 }}>
            {step.label}
          </Button>
        )
      }
    >
      {can.manage
        ? step.text
        : "Here stand the licenses that an Owner or Admin of the institution issues."}
    </EmptyState>
  );
}

/** There are licenses, but none as asked for. */
export function NoMatches() {
  const { clear } = useLicenseList();
  return (
    <EmptyState
      icon={<SearchOffIcon {...big} />}
      title="No license matches"
      action={
        <Button variant="outlined" onClick={clear} sx={{ mt: 1 }}>
          Clear all filters
        </Button>
      }
    >
      The search finds the beginnings of words in name, receiver and issuer, and the beginning of a
      key. Take a filter away, or clear them all.
    </EmptyState>
  );
}
