import { t } from "@lingui/core/macro";
import Button from "@mui/material/Button";
import { Link } from "react-router";
import { EmptyState } from "../ui/EmptyState";
import { Page } from "../ui/Page";

export default function NotFoundPage() {
  return (
    <Page title={t`Page not found`}>
      <EmptyState
        title={t`There is nothing at this address`}
        action={
          <Button component={Link} to="/" variant="contained">
            {t`Go to Home`}
          </Button>
        }
      >
        {t`The link may be outdated, or the item was deleted.`}
      </EmptyState>
    </Page>
  );
}
