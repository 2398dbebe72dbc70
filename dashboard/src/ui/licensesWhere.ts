interface Narrowed {
  status?: string;
  type?: string;
  productId?: string | null;
  /** Days from now on. */
  expiringWithin?: number;
}

/** The address of the list of licenses, narrowed. */
export function licensesWhere(narrowed: Narrowed): string {
  const given = Object.entries(narrowed).filter(([, value]) => value !== null);
  return `/licenses?filter=${encodeURIComponent(JSON.stringify(Object.fromEntries(given)))}`;
}
