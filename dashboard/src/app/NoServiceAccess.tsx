import { t } from "@lingui/core/macro";
import Card from "@mui/material/Card";
import { EmptyState } from "../ui/EmptyState";
import { LockIcon } from "../ui/icons";
import { Page } from "../ui/Page";
import { ButtonLink } from "../ui/PageLink";

/** Shown to whoever has the address of a page about the whole service and is no system Admin. */
export default function NoServiceAccess() {
  return (
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
}
