import { plural, t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import Autocomplete from "@mui/material/Autocomplete";
import Link from "@mui/material/Link";
import TextField from "@mui/material/TextField";
import type { Schemas } from "../../api/types";
import { PersonEmblem } from "../../ui/Emblem";
import { fieldLabel } from "../../ui/fields";
import { useField } from "../../ui/form/useField";
import { Row } from "../../ui/layout/layout";
import { TwoLines } from "../../ui/table/cells";
import styles from "./issue.module.css";
import { meantAddress } from "./meantAddress";
import { useCustomers } from "./useCustomers";
import type { IssueForm } from "./useIssueForm";

type Customer = Schemas["Customer"];

/** The customers who may be meant by a mistyped address: of its name, or like it at its domain. */
function useMeant(address: string, isNew: boolean): string | undefined {
  const [name = "", domain = ""] = isNew ? address.toLowerCase().split("@") : [];
  const named = useCustomers(name);
  const there = useCustomers(domain && `${name.slice(0, 1)} ${domain}`);
  if (!isNew || named === undefined || there === undefined) return undefined;
  return meantAddress(
    address,
    [...named, ...there].map(({ email }) => email),
  );
}

interface HintProps {
  address: string;
  customer: IssueForm["customer"];
  onChoose: (address: string) => void;
}

/** Whether the address is known, so that a slip does not make a new customer unseen. */
function Hint({ address, customer: known, onChoose }: HintProps) {
  const meant = useMeant(address, known === null);
  if (known === undefined)
    return t`The customer's email address. They find the license in the portal when they sign in with it.`;
  if (known) {
    const { name, licenseCount } = known;
    return plural(licenseCount, {
      one: `${name}, who has # license.`,
      other: `${name}, who has # licenses.`,
    });
  }
  if (meant === undefined) return t`New customer.`;
  return (
    <span className={styles.slip}>
      <Trans>
        New customer. Did you mean{" "}
        <Link component="button" type="button" onClick={() => onChoose(meant)}>
          {meant}
        </Link>
        ?
      </Trans>
    </span>
  );
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
          helperText={message ?? <Hint address={typed} customer={form.customer} onChoose={set} />}
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
