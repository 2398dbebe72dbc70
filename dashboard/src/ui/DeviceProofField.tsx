import { t } from "@lingui/core/macro";
import type { FieldValues, Path } from "react-hook-form";
import type { Schemas } from "../api/types";
import { FormField } from "./form/FormField";
import type { FieldProps } from "./form/useApiForm";

/** Which devices must prove their keys. */
export const PROOF_WORDS: Record<Schemas["DeviceProof"], string> = {
  Off: t`Off: another key is only recorded`,
  WhenPresent: t`When present: devices that have proven a key`,
  Required: t`Required: all devices, so none with an older SDK`,
};

/** Which devices must prove their keys; a policy may leave it open, with a label for that. */
export const DeviceProofField = <Values extends FieldValues, Name extends Path<Values>>({
  open,
  ...field
}: FieldProps<Values, Name> & { open?: string }) => (
  <FormField
    {...field}
    label={t`Proof of device keys`}
    helperText={t`Devices sign their requests, so a copied hardware ID or session is useless elsewhere.`}
    slotProps={{ select: { displayEmpty: true } }}
    options={[
      ...(open === undefined ? [] : [["", open] as const]),
      ...Object.entries<string>(PROOF_WORDS),
    ]}
  />
);
