import SearchOffIcon from "@mui/icons-material/SearchOff";
import Button from "@mui/material/Button";
import { Link } from "react-router";
import { EmptyState } from "../../ui/EmptyState";
import { Page } from "../../ui/Page";

export const MissingLicense = () => (
  <Page title="License not found" back={{ to: "/licenses", label: "Licenses" }}>
    <EmptyState
      icon={<SearchOffIcon color="disabled" sx={{ fontSize: 48 }} />}
      title="There is no license here"
      action={
        <Button component={Link} to="/licenses" variant="contained" sx={{ mt: 1 }}>
          All licenses
        </Button>
      }
    >
      It was deleted, or it belongs to an institution or a product that you have no access to. Look
      for its name or key in the list.
    </EmptyState>
  </Page>
);
