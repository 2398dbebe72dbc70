/** A product key with all but its first characters masked. */
export const masked = (productKey: string): string => `${productKey.slice(0, 7)}${"•".repeat(12)}`;
