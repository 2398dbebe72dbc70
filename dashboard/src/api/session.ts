import { problemOf } from "./problem";
import type { components } from "./schema";
import { serviceUrl } from "./address";

export type Session = components["schemas"]["UserSession"];
export type SetupStatus = components["schemas"]["Setup"];

/** Renew the token this long before it expires, so that it does not expire in flight. */
const MARGIN_MS = 30_000;
/** Pauses between retries; the server still accepts the previous refresh cookie meanwhile. */
const PAUSES_MS = [1_000, 3_000];

/** `unknown` until the server has said whether there is a session. */
let state: "unknown" | "in" | "out" = "unknown";
let token: string | null = null;
let endsAt = 0;
let user: Session["user"] | null = null;
let renewal: Promise<boolean> | null = null;
let setupRequest: Promise<SetupStatus> | null = null;
const listeners = new Set<() => void>();

/** Keeps the access token in memory; it is never stored. */
export function begin(session: Session): void {
  state = "in";
  token = session.accessToken;
  endsAt = Date.now() + session.expiresIn * 1000;
  user = session.user;
}

export function forget(): void {
  state = "out";
  token = null;
  endsAt = 0;
  user = null;
}

export const isSignedIn = (): boolean => state === "in";

/** Who is signed in, as the session said; null when signed out. */
export const sessionUser = (): Session["user"] | null => user;

/** Calls `listener` when a request needs a session and there is none. Returns unsubscribe. */
export function onSessionEnd(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export const notifySessionEnd = (): void => listeners.forEach((listener) => listener());

/** The access token, renewed if it is about to expire; null when signed out. */
export async function accessToken(): Promise<string | null> {
  if (state === "unknown") await loadSetupStatus();
  if (token !== null && Date.now() > endsAt - MARGIN_MS)
    await renew().catch((failure: unknown) => {
      if (Date.now() > endsAt) throw failure;
    });
  return token;
}

/**
 * Loads the sign-in options of this service. On the first load, resumes the session if there is a
 * refresh cookie.
 */
export function loadSetupStatus(): Promise<SetupStatus> {
  setupRequest ??= fetchSetupStatus().finally(() => (setupRequest = null));
  return setupRequest;
}

async function fetchSetupStatus(): Promise<SetupStatus> {
  const response = await fetchWithRetry(() => fetch(serviceUrl("/api/auth/setup")));
  if (!response.ok) throw await problemOf(response);
  const entrance = (await response.json()) as SetupStatus;
  if (state === "unknown" && entrance.session) await renew();
  if (state === "unknown") state = "out";
  return entrance;
}

/** Gets a new access token with the refresh cookie. Concurrent callers share one request. */
export function renew(): Promise<boolean> {
  renewal ??= refresh().finally(() => (renewal = null));
  return renewal;
}

async function refresh(): Promise<boolean> {
  const response = await fetchWithRetry(() =>
    fetch(serviceUrl("/api/auth/refresh"), { method: "POST" }),
  );
  if (response.status === 401) {
    forget();
    return false;
  }
  if (!response.ok) throw await problemOf(response);
  const session = (await response.json()) as Session;
  // Another tab has signed in a different user; this tab shows the previous user's data.
  if (user !== null && session.user.id !== user.id) location.reload();
  begin(session);
  return true;
}

/** Retries on network errors and 5xx responses. */
async function fetchWithRetry(send: () => Promise<Response>): Promise<Response> {
  for (const pause of PAUSES_MS) {
    const response = await send().catch(() => null);
    if (response && response.status < 500) return response;
    await new Promise((done) => setTimeout(done, pause));
  }
  return send();
}
