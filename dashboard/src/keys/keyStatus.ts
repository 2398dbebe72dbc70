import type { ApiKey } from "../api/types";

/** Where a key stands at a moment. */
export function keyStatus(
  { revokedAt, expirationDate }: ApiKey,
  now: number = Date.now(),
): "Active" | "Revoked" | "Expired" {
  if (revokedAt) return "Revoked";
  return expirationDate && Date.parse(expirationDate) <= now ? "Expired" : "Active";
}
