import { t } from "@lingui/core/macro";
import { EmptyState } from "../ui/EmptyState";
import { Page } from "../ui/Page";
import { ButtonLink } from "../ui/PageLink";

export default function NotFoundPage() {
  return (
    <Page title={t`Page not found`}>
      <EmptyState
        title={t`There is nothing at this address`}
        action={
          <ButtonLink to="/" variant="contained">
            {t`Go to Home`}
          </ButtonLink>
        }
      >
        {t`The link may be outdated, or the item was deleted.`}
      </EmptyState>
    </Page>
  );
}
