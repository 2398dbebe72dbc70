import MenuItem from "@mui/material/MenuItem";
import Stack from "@mui/material/Stack";
import { $api } from "../../api/client";
import { LICENSE_MODELS } from "../models";
import { DraftField } from "./DraftField";
import { MetadataFields } from "./MetadataFields";
import { More } from "./More";
import type { IssueForm } from "./useIssueForm";

/** Of an Associated product: which of its institutions the license is for. */
function CustomerInstitution({ form }: { form: IssueForm }) {
  const ids = form.product?.associatedInstitutionIds ?? [];
  const { data } = $api.useQuery("get", "/api/institutions", {
    params: { query: { pageSize: 100 } },
  });
  const nameOf = (id: string) => data?.items.find((item) => item.id === id)?.name ?? id;
  return (
    <DraftField
      form={form}
      name="customerInstitutionId"
      select
      required
      label="Customer institution"
      helperText={
        ids.length === 0
          ? "The product is associated with no institution yet. Add one in its settings."
          : "The product is for these institutions only."
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

/** For whom the license is, and what to remember about it. */
export function CustomerStep({ form }: { form: IssueForm }) {
  const { draft, errors, product } = form;
  const required = draft.type !== null && LICENSE_MODELS[draft.type].receiverRequired;
  return (
    <Stack sx={{ gap: 2.5, maxWidth: 640 }}>
      <DraftField
        form={form}
        name="licenseName"
        label="License name"
        required
        helperText="Your own label, such as the customer and the order."
        slotProps={{ htmlInput: { maxLength: 200, dir: "auto" } }}
      />
      <DraftField
        form={form}
        name="issuedTo"
        label="Issued to"
        required={required}
        helperText="The customer's e-mail address. Who signs in to the portal with it finds the license there."
        slotProps={{ htmlInput: { inputMode: "email", maxLength: 254 } }}
      />
      <DraftField
        form={form}
        name="issuer"
        label="Issuer"
        helperText="Who sells it, as the customer shall read it."
        slotProps={{ htmlInput: { maxLength: 200 } }}
      />
      {product?.accessType === "Associated" && <CustomerInstitution form={form} />}
      <DraftField
        form={form}
        name="notes"
        label="Notes"
        multiline
        minRows={3}
        maxRows={12}
        helperText="For your team; Markdown is shown as it is meant."
      />
      <More open={draft.metadata.length > 0 || errors.metadata !== undefined}>
        <MetadataFields form={form} />
      </More>
    </Stack>
  );
}
