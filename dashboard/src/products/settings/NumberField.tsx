import { FormField } from "../../ui/Form";

interface NumberFieldProps {
  /** The API's name of the setting, below `settings`. */
  name: string;
  label: string;
  hint: string;
  min: number;
  max: number;
  /** Whether the field may be empty. */
  optional?: boolean;
  breach?: string | undefined;
  value: string;
  onValue: (value: string) => void;
}

/** A whole-number setting with a minimum and a maximum. */
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
