import { t } from "@lingui/core/macro";
import MenuItem from "@mui/material/MenuItem";
import Stack from "@mui/material/Stack";
import { MODEL_TRAITS } from "../../ui/models";
import { FormField } from "../../ui/Form";
import type { PolicyDraft } from "./policy";

interface PolicyTermsProps {
  draft: PolicyDraft;
  set: (change: Partial<PolicyDraft>) => void;
}

type NumberName = "durationDays" | "graceDays" | "maxActiveUsersCount" | "initialMeterBalance";

const LATER = t`Empty: given with each license.`;

/** The terms that the chosen model has. */
export function PolicyTerms({ draft, set }: PolicyTermsProps) {
  const model = MODEL_TRAITS[draft.type];
  const numeric = (name: NumberName, min: number, max: number, step: number | "any" = 1) => ({
    name,
    type: "number",
    value: draft[name],
    onValue: (value: string) => {
      set({ [name]: value });
    },
    slotProps: { htmlInput: { min, max, step } },
  });
  return (
    <>
      <Stack direction={{ xs: "column", sm: "row" }} sx={{ gap: 2 }}>
        <FormField
          {...numeric("durationDays", 1, 36_500)}
          label={t`Term in days`}
          helperText={model.expirationRequired ? LATER : t`Empty: the license does not expire.`}
        />
        <FormField
          name="termStarts"
          select
          label={t`The term starts`}
          value={draft.termStarts}
          disabled={draft.durationDays === ""}
          onValue={(termStarts) => {
            set({ termStarts: termStarts as PolicyDraft["termStarts"] });
          }}
        >
          <MenuItem value="Issue">{t`When the license is issued`}</MenuItem>
          <MenuItem value="FirstUse">{t`With the first use`}</MenuItem>
        </FormField>
      </Stack>
      <FormField
        {...numeric("graceDays", 0, 365)}
        label={t`Grace in days`}
        helperText={t`How long a license stays active after its term, for a payment that arrives late.`}
      />
      {model.seats && (
        <FormField
          {...numeric("maxActiveUsersCount", 1, 1_000_000)}
          label={t`Max active users`}
          helperText={LATER}
        />
      )}
      {model.meter && (
        <FormField
          {...numeric("initialMeterBalance", 0, 1e12, model.meter === "credits" ? "any" : 1)}
          label={model.meter === "credits" ? t`Initial credits` : t`Initial uses`}
          helperText={LATER}
        />
      )}
      {model.binding && (
        <Choice
          name="deviceBindingMode"
          label={t`Device binding mode`}
          value={draft.deviceBindingMode}
          choices={{ AutoBind: t`Auto-bind`, OwnerApproval: t`Product owner approval` }}
          onChoose={(deviceBindingMode) => {
            set({ deviceBindingMode });
          }}
        />
      )}
      {model.offline && (
        <Choice
          name="activationMode"
          label={t`Activation mode`}
          value={draft.activationMode}
          choices={{ Online: t`Online`, Offline: t`Offline` }}
          onChoose={(activationMode) => {
            set({ activationMode });
          }}
        />
      )}
    </>
  );
}

interface ChoiceProps<T extends string> {
  name: string;
  label: string;
  value: T | null;
  choices: Record<T, string>;
  onChoose: (value: T | null) => void;
}

const Choice = <T extends string>({ name, label, value, choices, onChoose }: ChoiceProps<T>) => (
  <FormField
    name={name}
    select
    label={label}
    value={value ?? ""}
    onValue={(chosen) => {
      onChoose((chosen || null) as T | null);
    }}
    slotProps={{ inputLabel: { shrink: true }, select: { displayEmpty: true } }}
  >
    <MenuItem value="">{t`Default of the model`}</MenuItem>
    {Object.entries<string>(choices).map(([choice, words]) => (
      <MenuItem key={choice} value={choice}>
        {words}
      </MenuItem>
    ))}
  </FormField>
);
