import Stack from "@mui/material/Stack";
import { LICENSE_TYPES } from "../../api/types";
import { MODEL_LABELS } from "../../ui/labels";
import { MODEL_TEXT } from "../modelText";
import { ProductPicker } from "../../ui/ProductPicker";
import { ChoiceCards } from "./ChoiceCards";
import { KeysNotice } from "./KeysNotice";
import { PolicyField } from "./PolicyField";
import { ReleaseField } from "./ReleaseField";
import type { IssueForm } from "./useIssueForm";

const MODELS = LICENSE_TYPES.map((type) => ({
  value: type,
  label: MODEL_LABELS[type],
  text: (
    <>
      {MODEL_TEXT[type].description} <em>{MODEL_TEXT[type].useCase}</em>
    </>
  ),
}));

/** Product, release and license model. */
export function ProductStep({ form }: { form: IssueForm }) {
  const { draft, set, errors, product } = form;
  return (
    <Stack sx={{ gap: 3 }}>
      <Stack direction={{ xs: "column", md: "row" }} sx={{ gap: 2, "& > *": { flex: 1 } }}>
        <ProductPicker
          value={draft.productId}
          required
          error={errors.productId}
          onChange={(productId) => {
            set({
              productId,
              policyId: "",
              policyTerm: "",
              softwareReleaseId: "",
              entitlementSetId: "",
              customerInstitutionId: "",
            });
          }}
        />
        {draft.productId ? <ReleaseField form={form} /> : <span />}
      </Stack>
      <PolicyField form={form} />
      {product && !product.hasKeys && <KeysNotice product={product} />}
      <ChoiceCards
        label="Model"
        room={220}
        choices={MODELS}
        value={draft.type}
        error={errors.type}
        onChange={(type) => {
          set({ type, policyId: "", policyTerm: "" });
        }}
      />
    </Stack>
  );
}
