import Button from "@mui/material/Button";
import { Link } from "react-router";
import { EmptyState } from "../ui/EmptyState";
import { Page } from "../ui/Page";

export default function NotFoundPage() {
  return (
    <Page title="Page not found">
      <EmptyState
        title="Nothing stands at this address"
        action={
          <Button component={Link} to="/" variant="contained">
            Go home
          </Button>
        }
      >
        The link may be old, or what it led to was deleted.
      </EmptyState>
    </Page>
  );
}
