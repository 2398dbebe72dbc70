import { t } from "@lingui/core/macro";
import MenuItem from "@mui/material/MenuItem";
import { useWatch } from "react-hook-form";
import { FormField } from "../../ui/form/FormField";
import type { ApiForm, FieldProps } from "../../ui/form/useApiForm";
import { Row } from "../../ui/layout/layout";
import { MODEL_TRAITS } from "../../ui/models";
import type { PolicyDraft } from "./policy";

const LATER = t`Leave empty to set it for each license.`;

/** The terms that the chosen model has. */
export function PolicyTerms({ form }: { form: ApiForm<PolicyDraft> }) {
  const { control, field } = form;
  const [type, durationDays] = useWatch({ control, name: ["type", "durationDays"] });
  const model = MODEL_TRAITS[type];
  return (
    <>
      <Row gap="l" align="stretch" folds>
        <FormField
          {...field("durationDays")}
          type="number"
          label={t`Term in days`}
          helperText={model.expirationRequired ? LATER : t`Empty: the license does not expire.`}
        />
        <FormField
          {...field("termStarts")}
          select
          label={t`The term starts`}
          disabled={durationDays === ""}
        >
          <MenuItem value="Issue">{t`When the license is issued`}</MenuItem>
          <MenuItem value="FirstUse">{t`With the first use`}</MenuItem>
        </FormField>
      </Row>
      <FormField
        {...field("graceDays")}
        type="number"
        label={t`Grace in days`}
        helperText={t`How long a license stays active after its term, for a payment that arrives late.`}
      />
      {model.seats && (
        <FormField
          {...field("maxActiveUsersCount")}
          type="number"
          demand={{ minimum: 1, maximum: 1_000_000 }}
          label={t`Max active users`}
          helperText={LATER}
        />
      )}
      {model.meter && (
        <FormField
          {...field("initialMeterBalance")}
          type="number"
          demand={{ minimum: 0, maximum: 1e12, isWhole: model.meter !== "credits" }}
          input={{ step: model.meter === "credits" ? "any" : 1 }}
          label={model.meter === "credits" ? t`Initial credits` : t`Initial uses`}
          helperText={LATER}
        />
      )}
      {model.binding && (
        <Choice
          {...field("deviceBindingMode")}
          label={t`Device binding mode`}
          choices={{ AutoBind: t`Auto-bind`, OwnerApproval: t`Product owner approval` }}
        />
      )}
      {model.offline && (
        <Choice
          {...field("activationMode")}
          label={t`Activation mode`}
          choices={{ Online: t`Online`, Offline: t`Offline` }}
        />
      )}
    </>
  );
}

type ModeName = "deviceBindingMode" | "activationMode";

interface ChoiceProps<Name extends ModeName> extends FieldProps<PolicyDraft, Name> {
  label: string;
  choices: Record<Exclude<PolicyDraft[Name], "">, string>;
}

const Choice = <Name extends ModeName>({ choices, ...field }: ChoiceProps<Name>) => (
  <FormField {...field} select slotProps={{ select: { displayEmpty: true } }}>
    <MenuItem value="">{t`Default of the model`}</MenuItem>
    {Object.entries<string>(choices).map(([choice, words]) => (
      <MenuItem key={choice} value={choice}>
        {words}
      </MenuItem>
    ))}
  </FormField>
);
