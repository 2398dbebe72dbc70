import { t } from "@lingui/core/macro";
import Card from "@mui/material/Card";
import type { ReactNode } from "react";
import { EmptyState } from "../ui/EmptyState";
import { LockIcon } from "../ui/icons";
import { Loading } from "../ui/Loading";
import { Page } from "../ui/Page";
import { ButtonLink } from "../ui/PageLink";
import { useInstitution } from "../ui/useInstitution";

/** A page about the whole service: for system Admins, whoever else has its address. */
export function ServicePage({ children }: { children: ReactNode }) {
  const { profile } = useInstitution();
  if (profile === undefined) return <Loading />;
  return profile.isSystemAdmin ? children : <NoServiceAccess />;
}

const NoServiceAccess = () => (
  <Page title={t`Service`}>
    <Card>
      <EmptyState
        icon={<LockIcon />}
        title={t`Only system Admins can open this page`}
        action={
          <ButtonLink to="/" variant="outlined">
            {t`Go to Home`}
          </ButtonLink>
        }
      >
        {t`It is about the whole service, not about your institution. Ask whoever runs the service.`}
      </EmptyState>
    </Card>
  </Page>
);
