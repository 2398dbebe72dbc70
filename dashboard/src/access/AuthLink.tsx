import Link from "@mui/material/Link";
import type { ReactNode } from "react";
import { Link as RouterLink } from "react-router";
import styles from "./access.module.css";

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
  <Link component={RouterLink} to={to} state={state} variant="body2" className={styles.link}>
    {children}
  </Link>
);
