import Button from "@mui/material/Button";
import Card from "@mui/material/Card";
import { Link } from "react-router";
import { EmptyState } from "../../ui/EmptyState";

/** For somebody who works in no institution: an end user, or one who was taken out. */
export const NoInstitution = () => (
  <Card>
    <EmptyState
      title="You work in no institution"
      action={
        <Button component={Link} to="/institutions" variant="contained">
          Go to institutions
        </Button>
      }
    >
      Products belong to an institution. Make one of your own, or ask somebody to invite you to
      theirs.
    </EmptyState>
  </Card>
);
