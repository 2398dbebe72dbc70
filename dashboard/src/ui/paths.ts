/** Address of the settings of an institution; it leads to `/settings` if that is the current one. */
export const settingsPath = (institutionId: string, tab = "") =>
  `/institutions/${institutionId}/settings${tab && `/${tab}`}`;

interface ListFilters {
  status?: string;
  type?: string;
  productId?: string | null;
  policyId?: string;
  customerId?: string;
  /** Those of Test products, or others. */
  test?: boolean;
  /** Days from now. */
  expiringWithin?: number;
}

/** The path of the license list with filters. */
export function licenseListPath(narrowed: ListFilters): string {
  const given = Object.entries(narrowed).filter(([, value]) => value !== null);
  const query = new URLSearchParams(given.map(([name, value]) => [name, String(value)])).toString();
  return query ? `/licenses?${query}` : "/licenses";
}

/** The path of the licenses that statistics count: those of Test products only if one is chosen. */
export const countedLicensesPath = (narrowed: Omit<ListFilters, "test">): string =>
  licenseListPath({ ...narrowed, ...(!narrowed.productId && { test: false }) });

interface OrderFilters {
  /** Days, both inclusive. */
  from: string;
  to: string;
  /** The currency that they were paid in; without it also what was paid back then. */
  paidIn?: string;
  customerId?: string;
  /** Those of this product alone. */
  productId?: string | null;
}

/** The path of the orders that a sum counts: sums are without test sales, and by UTC days. */
export function orderListPath({ productId, ...others }: OrderFilters): string {
  const query = new URLSearchParams({ ...others, testMode: "false" });
  if (productId) {
    query.set("productId", productId);
    query.set("onlyProduct", "true");
  }
  return `/orders?${query.toString()}`;
}
