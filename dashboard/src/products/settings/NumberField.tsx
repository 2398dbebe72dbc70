import { FormField, type FormFieldProps } from "../../ui/form/FormField";
import type { SettingsDraft } from "./draft";

type NumberName = Exclude<
  `settings.${keyof SettingsDraft["settings"]}`,
  "settings.downloadsNeedLicense"
>;

/** A setting that is a number; what is wrong with it changes with others, and is said then. */
export const NumberField = (props: FormFieldProps<SettingsDraft, NumberName>) => (
  <FormField type="number" slotProps={{ formHelperText: { "aria-live": "polite" } }} {...props} />
);
