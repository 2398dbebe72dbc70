import { t } from "@lingui/core/macro";
import { FormField, useLineMessages } from "./Form";

interface IpListFieldProps {
  value: string;
  onValue: (value: string) => void;
  label?: string;
}

/** IP addresses and networks, one per line. */
export function IpListField({
  value,
  onValue,
  label = t`Addresses and networks`,
}: IpListFieldProps) {
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
        message ??
        t`One per line, for example 203.0.113.0/24 or 2001:db8::7. Leave empty to allow any address.`
      }
      slotProps={{ htmlInput: { spellCheck: false, style: { fontFamily: "monospace" } } }}
    />
  );
}
