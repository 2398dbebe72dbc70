import { useQueryClient } from "@tanstack/react-query";
import { useNotificationContext } from "ra-core";
import { useNavigate } from "react-router";
import { begin, type Session } from "../api/session";

/** Begins a session and goes on to a page; nothing is left of whoever was here before. */
export function useEnter() {
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  const { resetNotifications } = useNotificationContext();
  return async (session: Session | undefined, to: string) => {
    if (!session) return;
    begin(session);
    resetNotifications();
    queryClient.removeQueries({ type: "inactive" });
    for (const name of ["auth", "get"]) await queryClient.resetQueries({ queryKey: [name] });
    await navigate(to, { replace: true });
  };
}

/** Where somebody belongs: whoever works in no institution sees the licenses issued to him. */
export const homeOf = ({ user }: Session): string =>
  user.memberships.length > 0 || user.isSystemAdmin ? "/" : "/portal";
