import { t } from "@lingui/core/macro";
import Chip from "@mui/material/Chip";
import MenuItem from "@mui/material/MenuItem";
import Stack from "@mui/material/Stack";
import { $api } from "../../api/client";
import { entryText } from "../../ui/featureValues";
import { DraftField } from "./DraftField";
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
    <Stack sx={{ gap: 1 }}>
      <DraftField
        form={form}
        name="entitlementSetId"
        select
        label={t`Entitlement set`}
        value={chosen?.id ?? ""}
        helperText={
          chosen
            ? t`The license includes only these features:`
            : t`Without an entitlement set, the license includes every feature of the product.`
        }
        slotProps={{ select: { displayEmpty: true }, inputLabel: { shrink: true } }}
        sx={{ maxWidth: 420 }}
      >
        <MenuItem value="">{t`Not restricted`}</MenuItem>
        {sets.map((set) => (
          <MenuItem key={set.id} value={set.id}>
            {set.name}
          </MenuItem>
        ))}
      </DraftField>
      {chosen && (
        <Stack direction="row" sx={{ gap: 0.75, flexWrap: "wrap" }}>
          {chosen.entries.map(({ featureName, value }) => (
            <Chip key={featureName} size="small" label={entryText(featureName, value)} />
          ))}
        </Stack>
      )}
    </Stack>
  );
}
