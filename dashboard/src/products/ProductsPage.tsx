import { t } from "@lingui/core/macro";
import Button from "@mui/material/Button";
import { Link } from "react-router";
import { AddIcon } from "../ui/icons";
import { Page } from "../ui/Page";
import { useCan, useInstitution } from "../ui/useInstitution";
import { NoInstitution } from "./list/NoInstitution";
import { ProductList } from "./list/ProductList";

/** The products of the current institution. */
export default function ProductsPage() {
  const { institutionId } = useInstitution();
  const { manage } = useCan();
  const canAdd = manage && Boolean(institutionId);
  const add = canAdd && (
    <Button component={Link} to="/products/new" variant="contained" startIcon={<AddIcon />}>
      {t`New product`}
    </Button>
  );
  return (
    <Page
      title={t`Products`}
      subtitle={t`What you sell, with releases, features and the keys that sign licenses.`}
      help="getting-started"
      actions={add}
    >
      {institutionId === null ? (
        <NoInstitution />
      ) : (
        <ProductList institutionId={institutionId} add={add} />
      )}
    </Page>
  );
}
