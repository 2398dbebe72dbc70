import Link from "@mui/material/Link";
import type { ReactNode } from "react";
import { Link as RouterLink } from "react-router";

/** A link to another page for signed-out users. */
export const AuthLink = ({
  to,
  state,
  children,
}: {
  to: string;
  state?: unknown;
  children: ReactNode;
}) => (
  <Link
    component={RouterLink}
    to={to}
    state={state}
    variant="body2"
    sx={{ display: "inline-flex", alignItems: "center", minHeight: 24 }}
  >
    {children}
  </Link>
);
