import { useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "react-router";
import { begin, type Session } from "../api/session";
import { dismissAll } from "../ui/toasts/toasts";

/** Starts a session, drops everything cached for the previous user, and goes to a page. */
export function useStartSession() {
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  return async (session: Session | undefined, to: string) => {
    if (!session) return;
    begin(session);
    dismissAll();
    queryClient.removeQueries({ type: "inactive" });
    for (const name of ["auth", "get"]) await queryClient.resetQueries({ queryKey: [name] });
    await navigate(to, { replace: true });
  };
}

/** The landing page of a user: the portal if they belong to no institution. */
export const homePathOf = ({ user }: Session): string =>
  user.memberships.length > 0 || user.isSystemAdmin ? "/" : "/portal";
