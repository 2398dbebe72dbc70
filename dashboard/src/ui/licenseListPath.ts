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
  return `/licenses?filter=${encodeURIComponent(JSON.stringify(Object.fromEntries(given)))}`;
}
