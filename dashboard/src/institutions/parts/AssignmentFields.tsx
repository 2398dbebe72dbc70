import { t } from "@lingui/core/macro";
import Alert from "@mui/material/Alert";
import { ProductsField } from "./ProductsField";
import { ReleasesField } from "./ReleasesField";

export interface Assigned {
  productIds: string[];
  releaseIds: string[];
}

interface AssignmentFieldsProps {
  institutionId: string;
  assigned: Assigned;
  onChange: (assigned: Assigned) => void;
}

/** The products and releases assigned to a Member. */
export const AssignmentFields = ({ institutionId, assigned, onChange }: AssignmentFieldsProps) => (
  <>
    <ProductsField
      institutionId={institutionId}
      value={assigned.productIds}
      onChange={(productIds) => {
        onChange({ ...assigned, productIds });
      }}
    />
    <ReleasesField
      institutionId={institutionId}
      productIds={assigned.productIds}
      value={assigned.releaseIds}
      onChange={(releaseIds) => {
        onChange({ ...assigned, releaseIds });
      }}
    />
    {assigned.productIds.length + assigned.releaseIds.length === 0 && (
      <Alert severity="info">{t`A Member without assignments cannot see anything yet.`}</Alert>
    )}
  </>
);
