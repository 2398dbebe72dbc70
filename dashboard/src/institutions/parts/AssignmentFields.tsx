import { t } from "@lingui/core/macro";
import Alert from "@mui/material/Alert";
import type { FieldValues, Path } from "react-hook-form";
import type { FieldProps } from "../../ui/form/useApiForm";
import { useField } from "../../ui/form/useField";
import { ProductsField, ReleasesField } from "./ProductsField";

interface AssignmentFieldsProps<
  Values extends FieldValues,
  Products extends Path<Values>,
  Releases extends Path<Values>,
> {
  institutionId: string;
  products: FieldProps<Values, Products>;
  releases: FieldProps<Values, Releases>;
}

/** The products and releases assigned to a Member. */
export function AssignmentFields<
  Values extends FieldValues,
  Products extends Path<Values>,
  Releases extends Path<Values>,
>(props: AssignmentFieldsProps<Values, Products, Releases>) {
  const { institutionId } = props;
  const products = useField(props.products);
  const releases = useField(props.releases);
  const productIds = products.value as string[];
  const releaseIds = releases.value as string[];
  return (
    <>
      <ProductsField
        institutionId={institutionId}
        inputRef={products.ref}
        value={productIds}
        message={products.message}
        onChange={products.set}
      />
      <ReleasesField
        institutionId={institutionId}
        inputRef={releases.ref}
        productIds={productIds}
        value={releaseIds}
        message={releases.message}
        onChange={releases.set}
      />
      {productIds.length + releaseIds.length === 0 && (
        <Alert severity="info">{t`A Member without assignments cannot see anything yet.`}</Alert>
      )}
    </>
  );
}
