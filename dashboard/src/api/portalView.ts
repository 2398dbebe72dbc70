/** A look at the portal as a customer, to read only. It is kept in memory, and ends with the page. */
export interface PortalView {
  token: string;
  endsAt: Date;
  customerId: string;
  email: string;
}

let view: PortalView | null = null;
let timer: ReturnType<typeof setTimeout> | undefined;
const listeners = new Set<() => void>();

export const portalView = (): PortalView | null => view;

/** Calls `listener` when a look begins or ends. Returns unsubscribe. */
export function onPortalView(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Begins a look, or ends it. */
export function setPortalView(next: PortalView | null): void {
  clearTimeout(timer);
  view = next;
  if (next) timer = setTimeout(() => setPortalView(null), next.endsAt.getTime() - Date.now());
  listeners.forEach((listener) => listener());
}

/** The token of the look for what the portal reads; null for every other request. */
export const viewTokenFor = (request: Request): string | null =>
  view && request.method === "GET" && new URL(request.url).pathname.includes("/api/portal/")
    ? view.token
    : null;
