import { t } from "@lingui/core/macro";
import Button from "@mui/material/Button";
import { Link } from "react-router";
import { NothingFoundIcon } from "../../ui/icons";
import { EmptyState } from "../../ui/EmptyState";
import { Page } from "../../ui/Page";

export const MissingLicense = () => (
  <Page title={t`License not found`} back={{ to: "/licenses", label: t`Licenses` }}>
    <EmptyState
      icon={<NothingFoundIcon />}
      title={t`This license does not exist`}
      action={
        <Button component={Link} to="/licenses" variant="contained">
          {t`All licenses`}
        </Button>
      }
    >
      {t`It may have been deleted, or you may not have access to its institution or product. Search the list for its name or key.`}
    </EmptyState>
  </Page>
);
