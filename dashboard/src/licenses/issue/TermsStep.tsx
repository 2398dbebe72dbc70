import Alert from "@mui/material/Alert";
import Stack from "@mui/material/Stack";
import type { Schemas } from "../../api/types";
import { MODEL_LABELS } from "../../ui/labels";
import { LICENSE_MODELS } from "../models";
import { ChoiceCards, type CardChoice } from "./ChoiceCards";
import { DraftField } from "./DraftField";
import { EndField } from "./EndField";
import { EntitlementField } from "./EntitlementField";
import { BalanceField, SeatsField } from "./LimitFields";
import { More } from "./More";
import type { IssueForm } from "./useIssueForm";

const BINDING: CardChoice<Schemas["DeviceBindingMode"]>[] = [
  {
    value: "AutoBind",
    label: "Auto-bind",
    text: "The first machine that validates is the one. Nobody has to do anything.",
  },
  {
    value: "OwnerApproval",
    label: "Owner approval",
    text: "The first machine waits until you approve it. Until then it is refused.",
  },
];

const MODES: CardChoice<Schemas["ActivationMode"]>[] = [
  {
    value: "Online",
    label: "Online",
    text: "The application asks the server. A revocation works at once; without a connection it runs on for its grace period.",
  },
  {
    value: "Offline",
    label: "Offline",
    text: "license.bin alone is enough until it must be refreshed. A revocation works at the next refresh.",
  },
];

const Credentials = ({ form }: { form: IssueForm }) => (
  <Stack direction={{ xs: "column", sm: "row" }} sx={{ gap: 2, maxWidth: 640 }}>
    <DraftField
      form={form}
      name="username"
      label="User name"
      helperText="With both set, an online validation asks for them."
      slotProps={{ htmlInput: { maxLength: 200 } }}
    />
    <DraftField
      form={form}
      name="password"
      type="password"
      label="Password"
      autoComplete="new-password"
      helperText="Nobody can read it again."
      slotProps={{ htmlInput: { maxLength: 200 } }}
    />
  </Stack>
);

/** How long, how many, where: what the model takes. */
export function TermsStep({ form }: { form: IssueForm }) {
  const { draft, set, errors } = form;
  if (!draft.type) return null;
  const model = LICENSE_MODELS[draft.type];
  return (
    <Stack sx={{ gap: 3 }}>
      <Alert severity="info" icon={false}>
        <strong>{MODEL_LABELS[draft.type]}.</strong> {model.sentence}
      </Alert>
      {model.seats && <SeatsField form={form} kind={model.seats} />}
      {model.meter && <BalanceField form={form} kind={model.meter} />}
      <EndField form={form} type={draft.type} />
      {model.binding && (
        <ChoiceCards
          label="How it gets its machine"
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
          label="How it is checked"
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
      <More open={draft.licenseKey !== "" || errors.licenseKey !== undefined}>
        <DraftField
          form={form}
          name="licenseKey"
          label="License key of your own"
          helperText="8 to 128 characters. Leave it empty, and a key is made that nobody can guess."
          slotProps={{ htmlInput: { maxLength: 128, spellCheck: false } }}
          sx={{ maxWidth: 420 }}
        />
      </More>
    </Stack>
  );
}
