import { t } from "@lingui/core/macro";
import { useWatch, type FieldValues, type Path } from "react-hook-form";
import type { License } from "../api/types";
import { FormField } from "./form/FormField";
import type { FieldProps } from "./form/useApiForm";

type MachineMatch = License["machineMatch"];

/** A match as forms have it: `Exact`, or `3/5` for at least 3 of 5. */
export const matchText = (match: MachineMatch): string =>
  match === "Exact" ? match : `${match.atLeast}/${match.of}`;

/** The match of a text of `matchText`. */
export function matchOf(text: string): MachineMatch {
  const [atLeast, of] = text.split("/").map(Number);
  return atLeast && of ? { atLeast, of } : "Exact";
}

/** How a device is recognized, in a few words. */
export function matchWords(match: MachineMatch): string {
  if (match === "Exact") return t`Exact: by the hardware ID alone`;
  const { atLeast, of } = match;
  return t`Also by ${atLeast} of ${of} components`;
}

const CHOICES = ["Exact", "2/3", "3/4", "3/5", "4/5", "4/6", "5/6", "5/7", "5/8", "6/8"];

/** How devices are recognized; a policy may leave it open, with a label for that. */
export function MachineMatchField<Values extends FieldValues, Name extends Path<Values>>({
  open,
  ...field
}: FieldProps<Values, Name> & { open?: string }) {
  const present: string = useWatch({ control: field.control, name: field.name });
  const choices = new Set([...CHOICES, ...(present ? [present] : [])]);
  return (
    <FormField
      {...field}
      label={t`Recognition of devices`}
      helperText={t`A device whose hardware ID changes keeps its seat if enough of its components stay the same.`}
      slotProps={{ select: { displayEmpty: true } }}
      options={[
        ...(open === undefined ? [] : [["", open] as const]),
        ...[...choices].map((text) => [text, matchWords(matchOf(text))] as const),
      ]}
    />
  );
}
