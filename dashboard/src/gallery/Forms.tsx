import MenuItem from "@mui/material/MenuItem";
import { useEffect } from "react";
import { Form, SubmitButton } from "../ui/form/Form";
import { FormCheckbox } from "../ui/form/FormCheckbox";
import { FormField } from "../ui/form/FormField";
import { useApiForm } from "../ui/form/useApiForm";
import { Column, Fill, Row } from "../ui/layout/layout";
import { MarkdownField } from "../ui/MarkdownField";
import { StatusChip } from "../ui/StatusChip";
import styles from "./gallery.module.css";
import { Part } from "./Part";

interface Example {
  name: string;
  issuedTo: string;
  seats: string;
  model: string;
  licenseKey: string;
  isOnline: boolean;
  isBound: boolean;
  notes: string;
}

const EXAMPLE: Example = {
  name: "Workstation 7",
  issuedTo: "",
  seats: "5",
  model: "Trial",
  licenseKey: "DARKB-N4C9M-58E2P",
  isOnline: true,
  isBound: false,
  notes: "Two lines, or **more**.",
};

type Faults = Partial<Record<keyof Example, string>>;

const NONE: Faults = {};

const FAULTS: Faults = {
  name: "Fill in this field.",
  issuedTo: "Enter an email address, for example name@example.com.",
  seats: "Enter 1 or more.",
  model: "This model has no seats.",
  isOnline: "The product has no key to sign with.",
  isBound: "A license with seats is not for one device.",
  notes: "Use at most 20,000 characters.",
};

/** What is filled in, and how it is laid out. */
export const Forms = () => (
  <>
    <Part title="Form" isStacked>
      <Fields faults={NONE} />
    </Part>
    <Part title="Form with faults" isStacked>
      <Fields faults={FAULTS} />
    </Part>
    <Part title="Rows and columns">
      <Layouts />
    </Part>
  </>
);

function Fields({ faults }: { faults: Faults }) {
  const form = useApiForm({ values: EXAMPLE, send: () => Promise.resolve() });
  const { field, setError } = form;
  useEffect(() => {
    for (const [name, message] of Object.entries(faults))
      setError(name as keyof Example, { message });
  }, [faults, setError]);
  return (
    <Form form={form}>
      <Column gap="l">
        <div className={styles.fields}>
          <FormField {...field("name")} label="Name" demand={{ required: true }} />
          <FormField
            {...field("issuedTo")}
            label="Issued to"
            type="email"
            placeholder="asa.berg@example.com"
            helperText="An email address."
          />
          <FormField {...field("seats")} label="Seats" type="number" demand={{ minimum: 1 }} />
          <FormField {...field("model")} label="Model" select>
            <MenuItem value="Trial">Trial</MenuItem>
            <MenuItem value="Perpetual">Perpetual</MenuItem>
          </FormField>
          <FormField {...field("licenseKey")} label="License key" disabled />
          <FormCheckbox
            {...field("isOnline")}
            label="Online"
            helperText="A checkbox is for what is chosen."
          />
          <FormCheckbox
            {...field("isBound")}
            label="Bind to one device"
            look="switch"
            helperText="A switch is for what is on or off."
          />
        </div>
        <MarkdownField {...field("notes")} label="Notes" helperText="For your team only." />
        <div>
          <SubmitButton>Save</SubmitButton>
        </div>
      </Column>
    </Form>
  );
}

const GAPS = ["xs", "s", "m", "l", "xl"] as const;

const Layouts = () => (
  <div className={styles.fields}>
    {GAPS.map((gap) => (
      <Row key={gap} gap={gap} wraps>
        <StatusChip status={gap} />
        <StatusChip status="Active" />
        <StatusChip status="Expired" />
      </Row>
    ))}
    <Row gap="s" place="apart">
      <StatusChip status="Active" />
      <StatusChip status="apart" />
    </Row>
    <Row gap="s">
      <Fill>The rest of the room</Fill>
      <StatusChip status="Active" />
    </Row>
    <Row gap="s" even folds>
      <StatusChip status="even" />
      <StatusChip status="folds" />
    </Row>
    <Column gap="s" align="start">
      <StatusChip status="Active" />
      <StatusChip status="column" />
    </Column>
  </div>
);
