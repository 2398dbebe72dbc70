import Button from "@mui/material/Button";
import Chip from "@mui/material/Chip";
import Stack from "@mui/material/Stack";
import { $api } from "../../api/client";
import type { LicenseType } from "../../api/types";
import { date } from "../../ui/formats";
import { MODEL_LABELS } from "../../ui/labels";
import { useProduct } from "../../ui/useProduct";
import type { LicenseFilters } from "./listViews";
import { useLicenseList } from "./useLicenseList";

type Name = keyof LicenseFilters;

function useWords(filters: LicenseFilters): [Name, string][] {
  const product = useProduct(filters.productId);
  const { policyId = "", customerId = "" } = filters;
  const policy = $api.useQuery(
    "get",
    "/api/policies/{policyId}",
    { params: { path: { policyId } } },
    { enabled: policyId !== "" },
  );
  const customer = $api.useQuery(
    "get",
    "/api/customers/{customerId}",
    { params: { path: { customerId } } },
    { enabled: customerId !== "" },
  );
  const words: Record<Name, string> = {
    search: `Search: ${filters.search ?? ""}`,
    status: `Status: ${filters.status ?? ""}`,
    type: `Model: ${MODEL_LABELS[filters.type as LicenseType] ?? filters.type ?? ""}`,
    productId: `Product: ${product.data?.name ?? (product.isError ? "deleted" : "…")}`,
    policyId: `Policy: ${policy.data?.name ?? (policy.isError ? "deleted" : "…")}`,
    customerId: `Customer: ${customer.data?.name ?? (customer.isError ? "deleted" : "…")}`,
    issuedTo: `Issued to: ${filters.issuedTo ?? ""}`,
    expiringBefore: `Expires by ${filters.expiringBefore ? date(filters.expiringBefore) : ""}`,
    expiringWithin: `Expires within ${String(filters.expiringWithin)} days`,
  };
  return (Object.keys(words) as Name[])
    .filter((name) => filters[name] !== undefined)
    .map((name) => [name, words[name]]);
}

/** The active filters as removable chips. */
export function ActiveFilters() {
  const { filters, setFilter, clear } = useLicenseList();
  const active = useWords(filters);
  if (active.length === 0) return null;
  return (
    <Stack direction="row" sx={{ gap: 1, flexWrap: "wrap", alignItems: "center" }}>
      {active.map(([name, words]) => (
        <Chip
          key={name}
          size="small"
          label={words}
          title={`Remove: ${words}`}
          aria-label={`Remove filter ${words}`}
          component="button"
          clickable
          onClick={() => {
            setFilter({ [name]: null });
          }}
          onDelete={() => {
            setFilter({ [name]: null });
          }}
          sx={{ maxWidth: "100%" }}
        />
      ))}
      <Button size="small" onClick={clear}>
        Clear filters
      </Button>
    </Stack>
  );
}
