/** A look at the portal as a customer, to read only. It is kept in memory, and ends with the page. */
export interface PortalView {
  token: string;
  endsAt: Date;
  customerId: string;
  email: string;
  /** What the customer is called. */
  name: string;
}

/** Whose portal the page showed before it was loaded again. */
export type LostView = Pick<PortalView, "customerId" | "email">;

const MARK = "licet.portalView";

/** Returns the view that a reload has ended, until it would have ended by itself; its token is never stored. */
function readMark(): LostView | null {
  const { endsAt, customerId, email } = JSON.parse(sessionStorage.getItem(MARK) ?? "{}") as Partial<
    LostView & { endsAt: number }
  >;
  if (!endsAt || endsAt < Date.now() || !customerId || !email) return null;
  return { customerId, email };
}

let view: PortalView | null = null;
let lost = readMark();
let timer: ReturnType<typeof setTimeout> | undefined;
const listeners = new Set<() => void>();

export const portalView = (): PortalView | null => view;

/** The view that a reload has ended; null once another one begins or the user leaves it. */
export const lostPortalView = (): LostView | null => lost;

/** Calls `listener` when a view begins or ends. Returns unsubscribe. */
export function onPortalView(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Begins a view, or ends it. */
export function setPortalView(next: PortalView | null): void {
  clearTimeout(timer);
  view = next;
  lost = null;
  if (next) {
    const { customerId, email, endsAt } = next;
    sessionStorage.setItem(MARK, JSON.stringify({ customerId, email, endsAt: endsAt.getTime() }));
  } else sessionStorage.removeItem(MARK);
  if (next) timer = setTimeout(() => setPortalView(null), next.endsAt.getTime() - Date.now());
  listeners.forEach((listener) => listener());
}

/** The token of the look for what the portal reads; null for every other request. */
export const viewTokenFor = (request: Request): string | null =>
  view && request.method === "GET" && new URL(request.url).pathname.includes("/api/portal/")
    ? view.token
    : null;
