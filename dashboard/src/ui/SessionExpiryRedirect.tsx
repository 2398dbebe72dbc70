import { useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { useLocation, useNavigate } from "react-router";
import { onSessionEnd } from "../api/session";

/** Redirects to sign-in when the session ends, and back afterwards. */
export function SessionExpiryRedirect() {
  const { pathname, search } = useLocation();
  const navigate = useNavigate();
  const queryClient = useQueryClient();
  useEffect(
    () =>
      onSessionEnd(() => {
        const state = { nextPathname: pathname, nextSearch: search, hasEnded: true };
        void navigate("/login", { state, replace: true });
        queryClient.clear();
      }),
    [pathname, search, navigate, queryClient],
  );
  return null;
}
