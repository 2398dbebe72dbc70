import { t } from "@lingui/core/macro";
import type { FieldValues, Path } from "react-hook-form";
import type { Schemas } from "../api/types";
import { FormField } from "./form/FormField";
import type { FieldProps } from "./form/useApiForm";

/** What becomes of a device with the hardware ID of another one, and another key. */
export const CLONE_WORDS: Record<Schemas["OnClone"], string> = {
  Refuse: t`Is refused`,
  OwnSeat: t`Takes a seat of its own`,
};

/** What becomes of a clone; a policy may leave it open, with a label for that. */
export const OnCloneField = <Values extends FieldValues, Name extends Path<Values>>({
  open,
  ...field
}: FieldProps<Values, Name> & { open?: string }) => (
  <FormField
    {...field}
    label={t`A second device with the same hardware ID`}
    helperText={t`It is known by its key, so devices must prove theirs.`}
    slotProps={{ select: { displayEmpty: true } }}
    options={[
      ...(open === undefined ? [] : [["", open] as const]),
      ...Object.entries<string>(CLONE_WORDS),
    ]}
  />
);
