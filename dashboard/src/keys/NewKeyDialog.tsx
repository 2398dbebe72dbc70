import { t } from "@lingui/core/macro";
import Alert from "@mui/material/Alert";
import Button from "@mui/material/Button";
import FormHelperText from "@mui/material/FormHelperText";
import ToggleButton from "@mui/material/ToggleButton";
import ToggleButtonGroup from "@mui/material/ToggleButtonGroup";
import Typography from "@mui/material/Typography";
import { useState, useId } from "react";
import { useWatch } from "react-hook-form";
import { ApiKeyRequest } from "../api/checks";
import { $api, api, at } from "../api/client";
import { CopyField } from "../ui/CopyField";
import { DateField } from "../ui/dates/DateField";
import { FormCheckbox } from "../ui/form/FormCheckbox";
import { FormDialog } from "../ui/form/FormDialog";
import { FormField } from "../ui/form/FormField";
import { type ApiForm, useApiForm, type FieldProps } from "../ui/form/useApiForm";
import { useField } from "../ui/form/useField";
import { date } from "../ui/formats";
import { IpListField } from "../ui/IpListField";
import { isAllowed, linesOf } from "../ui/ipRanges";
import { Row, Column } from "../ui/layout/layout";
import { MarkdownField } from "../ui/MarkdownField";
import { useNotifyChanged } from "../ui/useNotifyChanged";
import {
  bodyOf,
  EXPIRIES,
  type Expiry,
  FIRST,
  type IssuedKey,
  type KeyDraft,
  momentOf,
} from "./key";
import styles from "./keys.module.css";
import {
  curlExample,
  PRESETS,
  presetOf,
  scopesOf,
  scopeWords,
  AREA_WORDS,
  AREAS,
  reachesOf,
  type Area,
  type Reach,
} from "./scopes";

interface NewKeyDialogProps {
  institutionId: string;
  onMade: (key: IssuedKey) => void;
  onClose: () => void;
}

/** Creates an API key with its scopes, expiration date and allowed addresses. */
export function NewKeyDialog({ institutionId, onMade, onClose }: NewKeyDialogProps) {
  const [now] = useState(Date.now);
  const notifyChanged = useNotifyChanged();
  const form = useApiForm({
    values: FIRST,
    checks: ApiKeyRequest,
    validate: (draft) => ({
      ...(scopesOf(draft.scopes).length === 0 && { scopes: t`Choose at least one scope.` }),
      ...(!draft.confirm &&
        !isAllowed(linesOf(draft.ipAllowList), address) && {
          confirm: t`Confirm that, or add your address.`,
        }),
    }),
    send: async (draft) => {
      const body = { institutionId, ...bodyOf(draft, now) };
      const { data } = await api.POST("/api/api-keys", { body });
      if (!data) return;
      notifyChanged(t`API key ${{ name: data.name }} created.`);
      onMade(data);
    },
  });
  const { control, field } = form;
  const scopes = scopesOf(useWatch({ control, name: "scopes" }));
  const { data: settings } = $api.useQuery(
    "get",
    "/api/institutions/{institutionId}/settings",
    at({ institutionId }),
  );
  const address = settings?.callerAddress ?? "";
  const ipAllowList = useWatch({ control, name: "ipAllowList" });
  const isIn = isAllowed(linesOf(ipAllowList), address);
  return (
    <FormDialog form={form} title={t`New API key`} action={t`Create API key`} onClose={onClose}>
      <FormField
        {...field("name")}
        autoFocus
        helperText={t`The program that uses it, for example Web shop. Shown in the audit log.`}
        input={{ dir: "auto" }}
      />
      <MarkdownField
        {...field("description")}
        label={t`Description`}
        helperText={t`What it is for, and who maintains it.`}
      />
      <ExpiryField form={form} now={now} />
      <ScopesField {...field("scopes")} />
      <IpListField {...field("ipAllowList")} label={t`Allowed addresses`} />
      {!isIn && (
        <Alert severity="warning">
          {t`Your own address, ${address}, is not in this list. The key will not work from here.`}
          <FormCheckbox {...field("confirm")} label={t`Use the list without my own address`} />
        </Alert>
      )}
      <CopyField label={t`Example request`} value={curlExample(scopes)} block />
    </FormDialog>
  );
}

function hintOf(expiry: Expiry, now: number): string {
  if (expiry === "day") return t`It works until the end of that day.`;
  const moment = momentOf(expiry, "", now);
  return moment
    ? t`It stops working on ${{ day: date(moment) }}.`
    : t`It works until it is revoked. A key that expires is safer.`;
}

interface ExpiryFieldProps {
  form: ApiForm<KeyDraft>;
  now: number;
}

function ExpiryField({ form: { control, field }, now }: ExpiryFieldProps) {
  const expiry = useWatch({ control, name: "expiry" });
  return (
    <Row gap="l" align="stretch" folds>
      <FormField
        {...field("expiry")}
        label={t`Expires`}
        helperText={hintOf(expiry, now)}
        options={Object.entries(EXPIRIES)}
      />
      {expiry === "day" && <DateField {...field("expirationDate")} label={t`Date`} required />}
    </Row>
  );
}

const REACHES: Record<Reach, string> = {
  None: t({ message: "None", context: "scope" }),
  Read: t({ message: "Read", context: "scope" }),
  Write: t`Read and write`,
};

const WRITE = t({ message: "Write", context: "scope" });

/** Selects what the key is for, or the access level for each area of the API: a pair of scopes, to read and to write. */
function ScopesField(props: FieldProps<KeyDraft, "scopes">) {
  const id = useId();
  const [isOpen, setOpen] = useState(false);
  const { value, set, message } = useField(props);
  const preset = presetOf(value);
  return (
    <Column as="fieldset" gap="l" className={styles.scopes} aria-describedby={message && id}>
      <Typography component="legend" variant="subtitle2">{t`Scopes`}</Typography>
      <Typography variant="caption" color="textSecondary" component="p">
        {t`Choose as little as the program needs. Write includes read.`}
      </Typography>
      <ToggleButtonGroup
        exclusive
        aria-label={t`Made for`}
        value={preset?.label ?? null}
        onChange={(_, label: string | null) => {
          const chosen = PRESETS.find((one) => one.label === label);
          if (chosen) set(chosen.reaches);
        }}
      >
        {PRESETS.map(({ label }) => (
          <ToggleButton key={label} value={label}>
            {label}
          </ToggleButton>
        ))}
      </ToggleButtonGroup>
      <Row gap="m" place="apart" wraps>
        <Typography variant="body2">
          {preset?.hint ?? (scopeWords(scopesOf(value)).join(", ") || t`Nothing yet`)}
        </Typography>
        <Button size="small" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          {isOpen ? t`Hide scopes` : t`Choose each scope`}
        </Button>
      </Row>
      {isOpen &&
        AREAS.map((area) => (
          <ReachField
            key={area}
            area={area}
            value={value[area]}
            onChange={(reach) => set({ ...value, [area]: reach })}
          />
        ))}
      {message && (
        <FormHelperText id={id} error>
          {message}
        </FormHelperText>
      )}
    </Column>
  );
}

interface ReachFieldProps {
  area: Area;
  value: Reach;
  onChange: (value: Reach) => void;
}

function ReachField({ area, value, onChange }: ReachFieldProps) {
  const { label, read, write } = AREA_WORDS[area];
  return (
    <Row gap="s" align="start" place="apart" folds>
      <Column>
        <Typography variant="body2" className={styles.area}>
          {label}
        </Typography>
        <Words name={REACHES.Read} text={read} />
        {write && <Words name={WRITE} text={write} />}
      </Column>
      <ToggleButtonGroup
        exclusive
        aria-label={label}
        value={value}
        onChange={(_, reach: Reach | null) => {
          if (reach) onChange(reach);
        }}
        className={styles.reaches}
      >
        {reachesOf(area).map((reach) => (
          <ToggleButton key={reach} value={reach}>
            {REACHES[reach]}
          </ToggleButton>
        ))}
      </ToggleButtonGroup>
    </Row>
  );
}

const Words = ({ name, text }: { name: string; text: string }) => (
  <Typography variant="caption" color="textSecondary" component="p">
    <b>{name}:</b> {text}
  </Typography>
);
