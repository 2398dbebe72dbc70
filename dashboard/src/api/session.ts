import { problemOf } from "./problem";
import type { components } from "./schema";

export type Session = components["schemas"]["accounts_schemas_accounts_SessionView"];
export type Entrance = components["schemas"]["SetupView"];

/** Renewed this long before it ends, so that a request in time is not refused on its way. */
const MARGIN_MS = 30_000;
/** What did not arrive is sent again while the server still takes the cookie from before it. */
const PAUSES_MS = [1_000, 3_000];

/** `unknown` until the page has asked whether its visitor brought a session. */
let standing: "unknown" | "in" | "out" = "unknown";
let token: string | null = null;
let endsAt = 0;
let userId: string | null = null;
let renewal: Promise<boolean> | null = null;
let arrival: Promise<Entrance> | null = null;
const listeners = new Set<() => void>();

/** Takes the access token into memory; it is never stored. */
export function begin(session: Session): void {
  standing = "in";
  token = session.accessToken;
  endsAt = Date.now() + session.expiresIn * 1000;
  userId = session.user.id;
}

export function forget(): void {
  standing = "out";
  token = null;
  endsAt = 0;
  userId = null;
}

export const isSignedIn = (): boolean => standing === "in";

/** Has `listener` called when something was asked for that takes a sign-in, and there is none. */
export function onEnd(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export const tellEnd = (): void => {
  listeners.forEach((listener) => {
    listener();
  });
};

/** The access token, renewed when it is about to end; null when signed out. */
export async function accessToken(): Promise<string | null> {
  if (standing === "unknown") await arrive();
  if (token !== null && Date.now() > endsAt - MARGIN_MS)
    await renew().catch((failure: unknown) => {
      if (Date.now() > endsAt) throw failure;
    });
  return token;
}

/**
 * How people come in here. Whoever has just opened the page is signed in again where he brought
 * the cookie of a session.
 */
export function arrive(): Promise<Entrance> {
  arrival ??= findEntrance().finally(() => (arrival = null));
  return arrival;
}

async function findEntrance(): Promise<Entrance> {
  const response = await persist(() => fetch("/api/auth/setup"));
  if (!response.ok) throw await problemOf(response);
  const entrance = (await response.json()) as Entrance;
  if (standing === "unknown" && entrance.session) await renew();
  if (standing === "unknown") standing = "out";
  return entrance;
}

/** Asks for a new access token by the refresh cookie; callers at the same time share one answer. */
export function renew(): Promise<boolean> {
  renewal ??= refresh().finally(() => (renewal = null));
  return renewal;
}

async function refresh(): Promise<boolean> {
  const response = await persist(() => fetch("/api/auth/refresh", { method: "POST" }));
  if (response.status === 401) {
    forget();
    return false;
  }
  if (!response.ok) throw await problemOf(response);
  const session = (await response.json()) as Session;
  // Another tab has signed somebody else in; what this one shows is not his.
  if (userId !== null && session.user.id !== userId) location.reload();
  begin(session);
  return true;
}

/** Sends again what got no answer, or none that counts. */
async function persist(send: () => Promise<Response>): Promise<Response> {
  for (const pause of PAUSES_MS) {
    const response = await send().catch(() => null);
    if (response && response.status < 500) return response;
    await new Promise((done) => setTimeout(done, pause));
  }
  return send();
}
