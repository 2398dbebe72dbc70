import { t } from "@lingui/core/macro";
import Card from "@mui/material/Card";
import type { ReactElement } from "react";
import { EmptyState } from "./EmptyState";
import { ButtonLink } from "./PageLink";

interface NoAccessProps {
  icon: ReactElement;
  title: string;
  /** What it is, and whom to ask. */
  children: string;
  /** Where to go on, by default to Home. */
  to?: { path: string; label: string };
}

/** Stands where a page or a tab is for others. */
export function NoAccess({ icon, title, children, to }: NoAccessProps) {
  const { path, label } = to ?? { path: "/", label: t`Go to Home` };
  return (
    <Card>
      <EmptyState
        icon={icon}
        title={title}
        action={
          <ButtonLink to={path} variant="outlined">
            {label}
          </ButtonLink>
        }
      >
        {children}
      </EmptyState>
    </Card>
  );
}
