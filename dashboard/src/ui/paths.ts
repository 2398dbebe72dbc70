/** Address of the settings of an institution; it leads to `/settings` if that is the current one. */
export const settingsPath = (institutionId: string, tab = "") =>
  `/institutions/${institutionId}/settings${tab && `/${tab}`}`;

interface ListFilters {
  status?: string;
  type?: string;
  productId?: string | null;
  policyId?: string;
  customerId?: string;
  /** Days from now. */
  expiringWithin?: number;
}

/** The path of the license list with filters. */
export function licenseListPath(narrowed: ListFilters): string {
  const given = Object.entries(narrowed).filter(([, value]) => value !== null);
  const query = new URLSearchParams(given.map(([name, value]) => [name, String(value)])).toString();
  return query ? `/licenses?${query}` : "/licenses";
}

interface OrderFilters {
  /** Days, both inclusive. */
  from: string;
  to: string;
  customerId?: string;
}

/** The path of the order list with filters; sums count no test sales, so that it shows none. */
export const orderListPath = (narrowed: OrderFilters): string =>
  `/orders?${new URLSearchParams({ ...narrowed, testMode: "false" }).toString()}`;
