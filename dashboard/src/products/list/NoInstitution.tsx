import { t } from "@lingui/core/macro";
import Button from "@mui/material/Button";
import Card from "@mui/material/Card";
import { Link } from "react-router";
import { EmptyState } from "../../ui/EmptyState";

/** Empty state for users without an institution. */
export const NoInstitution = () => (
  <Card>
    <EmptyState
      title={t`You have no institution yet`}
      action={
        <Button component={Link} to="/institutions" variant="contained">
          {t`Go to institutions`}
        </Button>
      }
    >
      {t`Products belong to an institution. Create your own, or ask to be invited to one.`}
    </EmptyState>
  </Card>
);
