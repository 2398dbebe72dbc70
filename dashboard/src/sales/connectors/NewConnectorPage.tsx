import { t } from "@lingui/core/macro";
import Button from "@mui/material/Button";
import Stack from "@mui/material/Stack";
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { Link, useNavigate } from "react-router";
import { api } from "../../api/client";
import { Form, FormField, FormProblem, SubmitButton, useFormSubmission } from "../../ui/Form";
import { listKey } from "../../ui/list/useList";
import { Page } from "../../ui/Page";
import { SecretDialog } from "../../ui/SecretDialog";
import { Section } from "../../ui/Section";
import { UNGUARDED, UnsavedGuard } from "../../ui/UnsavedGuard";
import { useCan, useInstitution } from "../../ui/useInstitution";
import { KIND_LABELS, type ConnectorKind } from "../connector";
import type { SaleRule } from "../rules/rule";
import { KindField } from "./KindField";
import { randomSecret, SHOPS } from "./kinds";
import { NoConnectorAccess } from "./NoConnectorAccess";
import { RuleEditor } from "./RuleEditor";

interface Draft {
  kind: ConnectorKind;
  /** Null for the name of the kind. */
  name: string | null;
  secret: string;
  rules: SaleRule[];
}

/** What can be changed in the settings afterwards. */
const USUAL = {
  enabled: true,
  onRefund: "Revoke",
  onDispute: "Suspend",
  onPaymentFailed: "Suspend",
  graceDays: 7,
} as const;

const EMPTY: Draft = { kind: "Stripe", name: null, secret: "", rules: [] };

/** A connector that was created; `secret` was made here, and has to be entered in the shop. */
interface Created {
  id: string;
  name: string;
  secret: string | null;
}

const nameOf = ({ kind, name }: Draft) =>
  name ?? (kind === "Generic" ? t`Our shop` : KIND_LABELS[kind]);

async function create(institutionId: string, draft: Draft): Promise<Created | null> {
  const { kind, rules } = draft;
  const given = draft.secret.trim();
  // A shop that shows its secret later gets a placeholder until then.
  const made = given === "" && kind !== "Generic" ? randomSecret() : null;
  const { data } = await api.POST("/api/connectors", {
    body: {
      institutionId,
      kind,
      name: nameOf(draft).trim(),
      signingSecret: made ?? (given || null),
      rules,
      ...USUAL,
    },
  });
  if (!data) return null;
  const secret = kind === "LemonSqueezy" ? made : data.signingSecret;
  return { id: data.id, name: data.name, secret };
}

function NewConnector({ institutionId }: { institutionId: string }) {
  const [draft, setDraft] = useState(EMPTY);
  const [created, setCreated] = useState<Created | null>(null);
  const queries = useQueryClient();
  const navigate = useNavigate();
  const set = (change: Partial<Draft>) => {
    setDraft((now) => ({ ...now, ...change }));
  };
  const open = (id: string) =>
    void navigate(`/connectors/${id}`, { replace: true, state: UNGUARDED });
  const { attempt, submit } = useFormSubmission(async () => {
    const made = await create(institutionId, draft);
    await queries.invalidateQueries({ queryKey: listKey("connectors") });
    setCreated(made);
    if (made?.secret === null) open(made.id);
  });
  return (
    <Form attempt={attempt} submit={submit}>
      <UnsavedGuard when={created === null && draft !== EMPTY} />
      <Stack sx={{ gap: 2 }}>
        <Section title={t`Shop`}>
          <Stack sx={{ gap: 2.5, "& > .MuiTextField-root": { maxWidth: 480 } }}>
            <KindField
              value={draft.kind}
              onValue={(kind) => {
                set({ kind });
              }}
            />
            <FormField
              name="name"
              label={t`Name`}
              required
              value={nameOf(draft)}
              onValue={(name) => {
                set({ name });
              }}
              slotProps={{ htmlInput: { maxLength: 200, dir: "auto" } }}
              helperText={t`For your team, if you have several.`}
            />
            <FormField
              name="signingSecret"
              label={t`Signing secret`}
              value={draft.secret}
              onValue={(secret) => {
                set({ secret });
              }}
              slotProps={{ htmlInput: { maxLength: 500, spellCheck: false } }}
              helperText={SHOPS[draft.kind].secretHint}
            />
          </Stack>
        </Section>
        <Section
          title={t`Rules`}
          subtitle={t`A rule says which license somebody gets who buys something. You can also create each with one click when it is first sold: what no rule matches waits in sight.`}
        >
          <RuleEditor
            institutionId={institutionId}
            rules={draft.rules}
            onRules={(rules) => {
              set({ rules });
              return Promise.resolve();
            }}
          />
        </Section>
        <FormProblem />
        <Stack direction="row" sx={{ gap: 1 }}>
          <SubmitButton disabled={created !== null}>{t`Create connector`}</SubmitButton>
          <Button component={Link} to="/connectors">
            {t`Cancel`}
          </Button>
        </Stack>
      </Stack>
      {created?.secret && (
        <SecretDialog
          title={t`Connector created`}
          label={t`Signing secret`}
          secret={created.secret}
          fileName="connector-secret.txt"
          onClose={() => {
            open(created.id);
          }}
        >
          {t`Enter it in your shop. The next page tells where, with the inbox address.`}
        </SecretDialog>
      )}
    </Form>
  );
}

export default function NewConnectorPage() {
  const { institutionId } = useInstitution();
  const { manage } = useCan();
  return (
    <Page
      title={t`New connector`}
      help="connectors"
      back={{ to: "/connectors", label: t`Connectors` }}
      subtitle={t`Connect a shop: what it sells becomes licenses.`}
    >
      {institutionId && manage && <NewConnector institutionId={institutionId} />}
      {(institutionId === null || (institutionId && !manage)) && <NoConnectorAccess />}
    </Page>
  );
}
