import { t } from "@lingui/core/macro";
import type { FieldValues, Path } from "react-hook-form";
import type { Schemas } from "../api/types";
import { FormField } from "./form/FormField";
import type { FieldProps } from "./form/useApiForm";

/** Who answers the requests of machines without a network. */
export const OFFLINE_ACTIVATION_WORDS: Record<Schemas["OfflineActivation"], string> = {
  Off: t`Off: only your team answers requests`,
  SelfService: t`Self-service: customers get answers at the Offline desk`,
  Approval: t`Approval: customers submit requests, and you approve them`,
};

/** Who answers offline requests; a policy may leave it open, with a label for that. */
export const OfflineActivationField = <Values extends FieldValues, Name extends Path<Values>>({
  open,
  ...field
}: FieldProps<Values, Name> & { open?: string }) => (
  <FormField
    {...field}
    label={t`Offline activation`}
    helperText={t`For machines without a network, which make requests as a file or a QR code.`}
    slotProps={{ select: { displayEmpty: true } }}
    options={[
      ...(open === undefined ? [] : [["", open] as const]),
      ...Object.entries<string>(OFFLINE_ACTIVATION_WORDS),
    ]}
  />
);
