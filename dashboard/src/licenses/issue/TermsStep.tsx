import Alert from "@mui/material/Alert";
import Stack from "@mui/material/Stack";
import type { Schemas } from "../../api/types";
import { MODEL_LABELS } from "../../ui/labels";
import { MODEL_TRAITS } from "../../ui/models";
import { MODEL_TEXT } from "../modelText";
import { ChoiceCards, type CardChoice } from "./ChoiceCards";
import { DraftField } from "./DraftField";
import { EndField } from "./EndField";
import { EntitlementField } from "./EntitlementField";
import { BalanceField, SeatsField } from "./LimitFields";
import { MoreOptions } from "./MoreOptions";
import type { IssueForm } from "./useIssueForm";

const BINDING: CardChoice<Schemas["DeviceBindingMode"]>[] = [
  {
    value: "AutoBind",
    label: "Auto-bind",
    text: "The license is bound to the first machine that validates it, automatically.",
  },
  {
    value: "OwnerApproval",
    label: "Product owner approval",
    text: "The first machine has to wait until you approve it. Until then it is rejected.",
  },
];

const MODES: CardChoice<Schemas["ActivationMode"]>[] = [
  {
    value: "Online",
    label: "Online",
    text: "The application checks with the server. A revocation takes effect immediately. Without a connection, the application keeps running for its grace period.",
  },
  {
    value: "Offline",
    label: "Offline",
    text: "license.bin is sufficient until it must be refreshed. A revocation takes effect with the next refresh.",
  },
];

const Credentials = ({ form }: { form: IssueForm }) => (
  <Stack direction={{ xs: "column", sm: "row" }} sx={{ gap: 2, maxWidth: 640 }}>
    <DraftField
      form={form}
      name="username"
      label="Username"
      helperText="If both are set, online validation requires them."
      slotProps={{ htmlInput: { maxLength: 200 } }}
    />
    <DraftField
      form={form}
      name="password"
      type="password"
      label="Password"
      autoComplete="new-password"
      helperText="It cannot be viewed again."
      slotProps={{ htmlInput: { maxLength: 200 } }}
    />
  </Stack>
);

/** The terms the chosen model has: seats, balance, expiration, binding, activation mode. */
export function TermsStep({ form }: { form: IssueForm }) {
  const { draft, set, errors } = form;
  if (!draft.type) return null;
  const model = MODEL_TRAITS[draft.type];
  return (
    <Stack sx={{ gap: 3 }}>
      <Alert severity="info" icon={false}>
        <strong>{MODEL_LABELS[draft.type]}.</strong> {MODEL_TEXT[draft.type].description}
      </Alert>
      {model.seats && <SeatsField form={form} kind={model.seats} />}
      {model.meter && <BalanceField form={form} kind={model.meter} />}
      <EndField form={form} type={draft.type} />
      {model.binding && (
        <ChoiceCards
          label="Device binding mode"
          choices={BINDING}
          value={draft.deviceBindingMode}
          error={errors.deviceBindingMode}
          onChange={(deviceBindingMode) => {
            set({ deviceBindingMode });
          }}
        />
      )}
      {model.offline && (
        <ChoiceCards
          label="Activation mode"
          choices={MODES}
          value={draft.activationMode}
          error={errors.activationMode}
          onChange={(activationMode) => {
            set({ activationMode });
          }}
        />
      )}
      {model.credentials && <Credentials form={form} />}
      <EntitlementField form={form} />
      <MoreOptions open={draft.licenseKey !== "" || errors.licenseKey !== undefined}>
        <DraftField
          form={form}
          name="licenseKey"
          label="Custom license key"
          helperText="8 to 128 characters. Leave empty to generate a secure key."
          slotProps={{ htmlInput: { maxLength: 128, spellCheck: false } }}
          sx={{ maxWidth: 420 }}
        />
      </MoreOptions>
    </Stack>
  );
}
