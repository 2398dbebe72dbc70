/** A product key of which only the beginning can be read. */
export const masked = (productKey: string): string => `${productKey.slice(0, 7)}${"•".repeat(12)}`;
