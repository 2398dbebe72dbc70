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
