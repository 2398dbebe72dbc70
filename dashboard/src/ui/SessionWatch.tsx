import { useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { useLocation, useNavigate } from "react-router";
import { onEnd } from "../api/session";

/** Leads to the sign-in when the session has ended, and back from there. */
export function SessionWatch() {
  const { pathname, search } = useLocation();
  const navigate = useNavigate();
  const queryClient = useQueryClient();
  useEffect(
    () =>
      onEnd(() => {
        const state = { nextPathname: pathname, nextSearch: search, hasEnded: true };
        void navigate("/login", { state, replace: true });
        queryClient.clear();
      }),
    [pathname, search, navigate, queryClient],
  );
  return null;
}
