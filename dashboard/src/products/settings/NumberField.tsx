import { FormField } from "../../ui/Form";

interface NumberFieldProps {
  /** Of the setting; the API names it below `settings`. */
  name: string;
  label: string;
  hint: string;
  min: number;
  max: number;
  /** An empty field stands for none. */
  optional?: boolean;
  breach?: string | undefined;
  value: string;
  onValue: (value: string) => void;
}

/** A whole number of the settings, with its bounds. */
export const NumberField = ({ name, hint, breach, min, max, ...props }: NumberFieldProps) => {
  const { optional = false, ...field } = props;
  return (
    <FormField
      name={`settings.${name}`}
      type="number"
      required={!optional}
      error={breach !== undefined}
      helperText={breach ?? hint}
      slotProps={{
        htmlInput: { min, max, step: 1, inputMode: "numeric" },
        formHelperText: { "aria-live": "polite" },
      }}
      {...field}
    />
  );
};
