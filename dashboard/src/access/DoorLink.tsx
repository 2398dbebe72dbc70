import Link from "@mui/material/Link";
import type { ReactNode } from "react";
import { Link as RouterLink } from "react-router";

/** To another page in front of the sign-in. */
export const DoorLink = ({
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
