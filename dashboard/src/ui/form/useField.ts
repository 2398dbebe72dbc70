import { useController, type FieldValues, type Path } from "react-hook-form";
import { faultOf, isEmpty, type Check } from "./check";
import type { FieldProps } from "./useApiForm";

/** What else a field demands, beside the server. */
interface Demands {
  check?: Check | undefined;
  /** What only the field itself can find wrong with a value. */
  fault?: ((value: unknown) => string | undefined) | undefined;
}

/**
 * The value of a field of a form, what changes it, and what is wrong with it. For fields of one's
 * own; `FormField`, `FormCheckbox` and others are made of it.
 */
export function useField<Values extends FieldValues, Name extends Path<Values>>(
  { name, control, check, rule }: FieldProps<Values, Name>,
  demands: Demands = {},
) {
  const demanded: Check = { ...check, ...demands.check };
  const { field, fieldState } = useController({
    name,
    control,
    rules: {
      validate: (value, values) =>
        demands.fault?.(value) ?? rule?.(values) ?? faultOf(value, demanded) ?? true,
    },
  });
  return {
    value: field.value,
    ref: field.ref,
    set: field.onChange,
    leave: () => {
      // A field that is still empty is no mistake yet.
      if (!isEmpty(field.value)) field.onBlur();
    },
    message: fieldState.error?.message,
    check: demanded,
  };
}
