import { t } from "@lingui/core/macro";
import MenuItem from "@mui/material/MenuItem";
import { FormField } from "../../ui/Form";
import type { Connector } from "../connector";

interface Draft {
  name: string;
  onRefund: Connector["onRefund"];
  onDispute: Connector["onDispute"];
  onPaymentFailed: Connector["onPaymentFailed"];
  graceDays: string;
}

export const draftOf = (connector: Connector): Draft => ({
  name: connector.name,
  onRefund: connector.onRefund,
  onDispute: connector.onDispute,
  onPaymentFailed: connector.onPaymentFailed,
  graceDays: String(connector.graceDays),
});

export const bodyOf = (draft: Draft) => ({
  name: draft.name.trim(),
  onRefund: draft.onRefund,
  onDispute: draft.onDispute,
  onPaymentFailed: draft.onPaymentFailed,
  graceDays: Number(draft.graceDays),
});

interface ConsequenceFieldsProps {
  draft: Draft;
  onDraft: (draft: Draft) => void;
}

/** The name of a connector, and what it does to licenses beyond issuing them. */
export function ConsequenceFields({ draft, onDraft }: ConsequenceFieldsProps) {
  const set = (change: Partial<Draft>) => {
    onDraft({ ...draft, ...change });
  };
  return (
    <>
      <FormField
        name="name"
        label={t`Name`}
        required
        value={draft.name}
        onValue={(name) => {
          set({ name });
        }}
        slotProps={{ htmlInput: { maxLength: 200, dir: "auto" } }}
      />
      <Choice
        name="onRefund"
        label={t`When an order is refunded`}
        value={draft.onRefund}
        choices={{
          Revoke: t`Revoke its licenses`,
          Suspend: t`Suspend its licenses until another term is paid`,
          Nothing: t`Do nothing`,
        }}
        onChoose={(onRefund) => {
          set({ onRefund });
        }}
      />
      <Choice
        name="onDispute"
        label={t`When a payment is disputed`}
        value={draft.onDispute}
        choices={{
          Suspend: t`Suspend the licenses until the dispute is won`,
          Revoke: t`Revoke the licenses`,
          Nothing: t`Do nothing`,
        }}
        onChoose={(onDispute) => {
          set({ onDispute });
        }}
      />
      <Choice
        name="onPaymentFailed"
        label={t`When a renewal is not paid`}
        value={draft.onPaymentFailed}
        choices={{
          Suspend: t`Suspend the licenses after the grace`,
          Nothing: t`Do nothing`,
        }}
        onChoose={(onPaymentFailed) => {
          set({ onPaymentFailed });
        }}
      />
      <FormField
        name="graceDays"
        type="number"
        label={t`Grace in days`}
        required
        value={draft.graceDays}
        onValue={(graceDays) => {
          set({ graceDays });
        }}
        slotProps={{ htmlInput: { min: 0, max: 365, step: 1 } }}
        helperText={t`How long a subscription stays valid after its paid term, so that a late payment locks nobody out.`}
      />
    </>
  );
}

interface ChoiceProps<T extends string> {
  name: string;
  label: string;
  value: T;
  choices: Record<T, string>;
  onChoose: (value: T) => void;
}

const Choice = <T extends string>({ name, label, value, choices, onChoose }: ChoiceProps<T>) => (
  <FormField
    name={name}
    select
    label={label}
    value={value}
    onValue={(chosen) => {
      onChoose(chosen as T);
    }}
  >
    {Object.entries<string>(choices).map(([choice, words]) => (
      <MenuItem key={choice} value={choice}>
        {words}
      </MenuItem>
    ))}
  </FormField>
);
