import type { ApiKey } from "../api/types";

/** The status of a key at an instant. */
export function keyStatus(
  { revokedAt, expirationDate }: ApiKey,
  now: number = Date.now(),
): "Active" | "Revoked" | "Expired" {
  if (revokedAt) return "Revoked";
  return expirationDate && Date.parse(expirationDate) <= now ? "Expired" : "Active";
}
