import { t } from "@lingui/core/macro";
import type { FieldValues, Path } from "react-hook-form";
import { $api } from "../api/client";
import type { Product } from "../api/types";
import { FormField } from "../ui/form/FormField";
import type { FieldProps } from "../ui/form/useApiForm";

type Associated = Pick<Product, "id" | "accessType" | "associatedInstitutionIds"> | undefined;

/** The names of the institutions that are associated with the product. */
export function useCustomerNames(product: Associated) {
  const { data } = $api.useQuery(
    "get",
    "/api/products/{productId}/associations",
    { params: { path: { productId: product?.id ?? "" }, query: { pageSize: 100 } } },
    { enabled: product?.accessType === "Associated" },
  );
  return (id: string) =>
    data?.items.find((item) => item.institutionId === id)?.institutionName ?? id;
}

/** The customer institution of a license for an Associated product; nothing for others. */
export function CustomerInstitutionField<Values extends FieldValues, Name extends Path<Values>>({
  product,
  ...field
}: FieldProps<Values, Name> & { product: Associated }) {
  const ids = product?.associatedInstitutionIds ?? [];
  const nameOf = useCustomerNames(product);
  if (product?.accessType !== "Associated") return null;
  return (
    <FormField
      {...field}
      required
      label={t`Customer institution`}
      helperText={
        ids.length === 0
          ? t`No institution is associated with the product yet. Invite one under Associations on its page.`
          : t`The product is available to these institutions only.`
      }
      options={ids.map((id) => [id, nameOf(id)] as const)}
    />
  );
}
