import { t } from "@lingui/core/macro";
import { chosen, fieldsOf, NUMBER, TEXT, type DraftOf } from "../../api/fields";
import { FormField, type FormFieldProps } from "../../ui/form/FormField";
import type { ApiForm } from "../../ui/form/useApiForm";
import type { Connector } from "../connector";

export const FIELDS = fieldsOf({
  name: TEXT,
  onRefund: chosen<Connector["onRefund"]>(),
  onDispute: chosen<Connector["onDispute"]>(),
  onPaymentFailed: chosen<Connector["onPaymentFailed"]>(),
  graceDays: NUMBER,
});

type Draft = DraftOf<typeof FIELDS>;

/** The name of a connector, and what it does to licenses beyond issuing them. */
export const ConsequenceFields = ({ form: { field } }: { form: ApiForm<Draft> }) => (
  <>
    <FormField {...field("name")} input={{ dir: "auto" }} />
    <Choice
      {...field("onRefund")}
      label={t`When an order is refunded`}
      choices={{
        Revoke: t`Revoke its licenses`,
        Suspend: t`Suspend its licenses until another term is paid`,
        Nothing: t`Do nothing`,
      }}
    />
    <Choice
      {...field("onDispute")}
      label={t`When a payment is disputed`}
      choices={{
        Suspend: t`Suspend the licenses until the dispute is won`,
        Revoke: t`Revoke the licenses`,
        Nothing: t`Do nothing`,
      }}
    />
    <Choice
      {...field("onPaymentFailed")}
      label={t`When a renewal is not paid`}
      choices={{
        Suspend: t`Suspend the licenses after the grace`,
        Nothing: t`Do nothing`,
      }}
    />
    <FormField
      {...field("graceDays")}
      type="number"
      label={t`Grace in days`}
      demand={{ required: true, minimum: 0 }}
      helperText={t`How long a subscription stays valid after its paid term, so that a late payment does not lock the customer out.`}
    />
  </>
);

type ChoiceProps<Name extends keyof Draft> = FormFieldProps<Draft, Name> & {
  choices: Record<Draft[Name], string>;
};

const Choice = <Name extends keyof Draft>({ choices, ...props }: ChoiceProps<Name>) => (
  <FormField {...props} options={Object.entries<string>(choices)} />
);
