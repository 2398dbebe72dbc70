import Checkbox from "@mui/material/Checkbox";
import FormControlLabel from "@mui/material/FormControlLabel";
import MenuItem from "@mui/material/MenuItem";
import Stack from "@mui/material/Stack";
import { $api } from "../../api/client";
import { MarkdownField } from "../../ui/MarkdownField";
import { MODEL_TRAITS } from "../../ui/models";
import { DraftField } from "./DraftField";
import { MetadataFields } from "./MetadataFields";
import { MoreOptions } from "./MoreOptions";
import type { IssueForm } from "./useIssueForm";

/** The customer institution of a license for an Associated product. */
function CustomerInstitution({ form }: { form: IssueForm }) {
  const ids = form.product?.associatedInstitutionIds ?? [];
  const { data } = $api.useQuery("get", "/api/products/{productId}/associations", {
    params: { path: { productId: form.product?.id ?? "" }, query: { pageSize: 100 } },
  });
  const nameOf = (id: string) =>
    data?.items.find((item) => item.institutionId === id)?.institutionName ?? id;
  return (
    <DraftField
      form={form}
      name="customerInstitutionId"
      select
      required
      label="Customer institution"
      helperText={
        ids.length === 0
          ? "No institution is associated with the product yet. Invite one under Associations on its page."
          : "The product is available to these institutions only."
      }
    >
      {ids.map((id) => (
        <MenuItem key={id} value={id}>
          {nameOf(id)}
        </MenuItem>
      ))}
    </DraftField>
  );
}

/** Customer, issuer, notes and metadata. */
export function CustomerStep({ form }: { form: IssueForm }) {
  const { draft, errors, product } = form;
  const required = draft.type !== null && MODEL_TRAITS[draft.type].issuedToRequired;
  return (
    <Stack sx={{ gap: 2.5, maxWidth: 640 }}>
      <DraftField
        form={form}
        name="licenseName"
        label="License name"
        required={!draft.policyId}
        helperText={
          draft.policyId
            ? "Empty: named as the policy says."
            : "For your own reference, for example customer and order number."
        }
        slotProps={{ htmlInput: { maxLength: 200, dir: "auto" } }}
      />
      <DraftField
        form={form}
        name="issuedTo"
        label="Issued to"
        required={required}
        helperText="The customer's email address. They find the license in the portal when they sign in with it."
        slotProps={{ htmlInput: { inputMode: "email", maxLength: 254 } }}
      />
      <FormControlLabel
        label="Send the license to this address by email"
        control={
          <Checkbox
            checked={draft.notify}
            disabled={!draft.issuedTo.trim()}
            onChange={(_, notify) => {
              form.set({ notify });
            }}
          />
        }
      />
      <DraftField
        form={form}
        name="issuer"
        label="Issuer"
        helperText="The seller, as shown to the customer."
        slotProps={{ htmlInput: { maxLength: 200 } }}
      />
      {product?.accessType === "Associated" && <CustomerInstitution form={form} />}
      <MarkdownField
        name="notes"
        label="Notes"
        value={draft.notes}
        error={errors.notes}
        onValue={(notes) => {
          form.set({ notes });
        }}
        helperText="For your team only."
      />
      <MoreOptions open={draft.metadata.length > 0 || errors.metadata !== undefined}>
        <MetadataFields form={form} />
      </MoreOptions>
    </Stack>
  );
}
