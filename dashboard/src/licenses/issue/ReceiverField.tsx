import { plural, t } from "@lingui/core/macro";
import Autocomplete from "@mui/material/Autocomplete";
import TextField from "@mui/material/TextField";
import type { Schemas } from "../../api/types";
import { PersonEmblem } from "../../ui/Emblem";
import { fieldLabel } from "../../ui/fields";
import { useField } from "../../ui/form/useField";
import { Row } from "../../ui/layout/layout";
import { TwoLines } from "../../ui/table/cells";
import { EMAIL } from "./checks";
import { useCustomers } from "./useCustomers";
import type { IssueForm } from "./useIssueForm";

type Customer = Schemas["Customer"];

/** Whether the address is known, so that a slip does not make a new customer unseen. */
function hintOf(address: string, customers: readonly Customer[] | undefined): string {
  const usual = t`The customer's email address. They find the license in the portal when they sign in with it.`;
  if (customers === undefined || !EMAIL.test(address)) return usual;
  const known = customers.find(({ email }) => email === address.toLowerCase());
  if (!known) return t`A new customer. ${usual}`;
  const { name, licenseCount } = known;
  return plural(licenseCount, {
    one: `${name}, who has # license.`,
    other: `${name}, who has # licenses.`,
  });
}

interface ReceiverFieldProps {
  form: IssueForm;
  required: boolean;
  autoFocus: boolean;
}

/** The address that the license is issued to: one of a known customer, or a new one. */
export function ReceiverField({ form, required, autoFocus }: ReceiverFieldProps) {
  const { value, ref, set, leave, message } = useField(form.field("issuedTo"), {
    check: { required, maxLength: 254 },
  });
  const typed = value.trim();
  const customers = useCustomers(typed);
  return (
    <Autocomplete<Customer, false, false, true>
      freeSolo
      size="small"
      value={null}
      inputValue={value}
      options={(customers ?? []).filter(({ email }) => email !== typed.toLowerCase())}
      filterOptions={(options) => options}
      getOptionLabel={(customer) => (typeof customer === "string" ? customer : customer.email)}
      getOptionKey={(customer) => (typeof customer === "string" ? customer : customer.id)}
      onInputChange={(_, text, reason) => {
        // The text is the value, which nothing resets.
        if (reason !== "reset") set(text);
      }}
      renderOption={({ key, ...props }, { name, email }) => (
        <li key={key} {...props}>
          <Row gap="m">
            <PersonEmblem name={name} size="medium" />
            <TwoLines second={name !== email && email}>{name}</TwoLines>
          </Row>
        </li>
      )}
      renderInput={(params) => (
        <TextField
          {...params}
          name="issuedTo"
          label={fieldLabel("issuedTo")}
          required={required}
          autoFocus={autoFocus}
          inputRef={ref}
          error={message !== undefined}
          helperText={message ?? hintOf(typed, customers)}
          onBlur={leave}
          slotProps={{
            ...params.slotProps,
            htmlInput: { ...params.slotProps.htmlInput, maxLength: 254, inputMode: "email" },
          }}
        />
      )}
    />
  );
}
