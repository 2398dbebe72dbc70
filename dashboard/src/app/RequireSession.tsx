import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { Navigate, useLocation } from "react-router";
import { isSignedIn, loadSetupStatus } from "../api/session";
import { Loading } from "../ui/Loading";

/** Where somebody without a session has to go first; null with a session. */
async function entrance(): Promise<string | null> {
  if (isSignedIn()) return null;
  // An unreachable server does not sign the user out; the page shows the error.
  const status = await loadSetupStatus().catch(() => null);
  if (status === null || isSignedIn()) return null;
  return status.required ? "/setup" : "/login";
}

/** Shows a page to those who are signed in, and the sign-in to others, who return afterwards. */
export function RequireSession({ children }: { children: ReactNode }) {
  const { pathname, search } = useLocation();
  const { data: to, isPending } = useQuery({
    queryKey: ["session"],
    queryFn: entrance,
    enabled: !isSignedIn(),
    gcTime: 0,
  });
  if (isSignedIn()) return children;
  if (isPending) return <Loading />;
  const state = { nextPathname: pathname, nextSearch: search };
  return to ? <Navigate to={to} replace state={state} /> : children;
}
