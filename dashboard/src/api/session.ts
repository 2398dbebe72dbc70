import type { components } from "./schema";

type Session = components["schemas"]["accounts_schemas_accounts_SessionView"];

/** Renewed this long before it ends, so that a request in time is not refused on its way. */
const MARGIN_MS = 30_000;

let token: string | null = null;
let endsAt = 0;
let renewal: Promise<boolean> | null = null;

/** Takes the access token into memory; it is never stored. */
export function begin(session: Session): void {
  token = session.accessToken;
  endsAt = Date.now() + session.expiresIn * 1000;
}

export function forget(): void {
  token = null;
  endsAt = 0;
}

export const isSignedIn = (): boolean => token !== null;

/** The access token, renewed when it is about to end; null when signed out. */
export async function accessToken(): Promise<string | null> {
  if (token !== null && Date.now() > endsAt - MARGIN_MS) await renew();
  return token;
}

/** Asks for a new access token by the refresh cookie; callers at the same time share one answer. */
export function renew(): Promise<boolean> {
  renewal ??= refresh().finally(() => (renewal = null));
  return renewal;
}

async function refresh(): Promise<boolean> {
  const response = await fetch("/api/auth/refresh", { method: "POST" });
  if (response.ok) begin((await response.json()) as Session);
  else if (response.status === 401) forget();
  return response.ok;
}
