import { useEffect, useState } from "react";
import { useLocation, useNavigate } from "react-router";

/** The token from the URL, which is removed from the address bar and history at once. */
export function useUrlToken(): string | null {
  const { pathname, search, state } = useLocation();
  const navigate = useNavigate();
  const [token] = useState(() => new URLSearchParams(search).get("token"));
  useEffect(() => {
    if (search) void navigate(pathname, { replace: true, state });
  }, [pathname, search, state, navigate]);
  return token;
}
