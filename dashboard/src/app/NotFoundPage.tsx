import Button from "@mui/material/Button";
import { Link } from "react-router";
import { EmptyState } from "../ui/EmptyState";
import { Page } from "../ui/Page";

export default function NotFoundPage() {
  return (
    <Page title="Page not found">
      <EmptyState
        title="There is nothing at this address"
        action={
          <Button component={Link} to="/" variant="contained">
            Go to Home
          </Button>
        }
      >
        The link may be outdated, or the item was deleted.
      </EmptyState>
    </Page>
  );
}
