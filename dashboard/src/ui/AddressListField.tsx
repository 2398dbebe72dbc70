import { FormField, useLineMessages } from "./Form";

interface AddressListFieldProps {
  value: string;
  onValue: (value: string) => void;
  label?: string;
}

/** Addresses and networks, one a line. */
export function AddressListField({
  value,
  onValue,
  label = "Addresses and networks",
}: AddressListFieldProps) {
  const message = useLineMessages("ipAllowList");
  return (
    <FormField
      name="ipAllowList"
      label={label}
      multiline
      minRows={3}
      maxRows={12}
      value={value}
      onValue={onValue}
      error={message !== undefined}
      helperText={
        message ?? "One a line, such as 203.0.113.0/24 or 2001:db8::7. Empty: from everywhere."
      }
      slotProps={{ htmlInput: { spellCheck: false, style: { fontFamily: "monospace" } } }}
    />
  );
}
