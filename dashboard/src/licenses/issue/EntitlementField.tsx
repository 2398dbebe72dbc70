import { t } from "@lingui/core/macro";
import Chip from "@mui/material/Chip";
import { $api } from "../../api/client";
import { entryText } from "../../ui/featureValues";
import { FormField } from "../../ui/form/FormField";
import { Column, Row } from "../../ui/layout/layout";
import styles from "./issue.module.css";
import type { IssueForm } from "./useIssueForm";

/** The entitlement sets of a product. */
export function useEntitlementSets(productId: string | null) {
  const { data } = $api.useQuery(
    "get",
    "/api/products/{productId}/entitlement-sets",
    { params: { path: { productId: productId ?? "" }, query: { pageSize: 100, sort: "name" } } },
    { enabled: productId !== null },
  );
  return data?.items ?? [];
}

/** The entitlement set of the license. */
export function EntitlementField({ form }: { form: IssueForm }) {
  const sets = useEntitlementSets(form.draft.productId);
  const chosen = sets.find(({ id }) => id === form.draft.entitlementSetId);
  return (
    <Column gap="s">
      <FormField
        {...form.field("entitlementSetId")}
        helperText={
          chosen
            ? t`The license includes only these features:`
            : t`Without an entitlement set, the license includes every feature of the product.`
        }
        slotProps={{ select: { displayEmpty: true } }}
        className={styles.set}
        options={[["", t`Not restricted`], ...sets.map((set) => [set.id, set.name] as const)]}
      />
      {chosen && (
        <Row gap="s" wraps>
          {chosen.entries.map(({ featureName, value }) => (
            <Chip key={featureName} size="small" label={entryText(featureName, value)} />
          ))}
        </Row>
      )}
    </Column>
  );
}
