import { t } from "@lingui/core/macro";
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useWatch } from "react-hook-form";
import { useNavigate } from "react-router";
import { ConnectorRequest } from "../../api/checks";
import { api } from "../../api/client";
import { Form, FormProblem, SubmitButton } from "../../ui/form/Form";
import { FormField } from "../../ui/form/FormField";
import { useApiForm } from "../../ui/form/useApiForm";
import { Column, Row } from "../../ui/layout/layout";
import { listKey } from "../../ui/list/useList";
import { Page } from "../../ui/Page";
import { ButtonLink } from "../../ui/PageLink";
import { SecretDialog } from "../../ui/SecretDialog";
import { Section } from "../../ui/Section";
import { UNGUARDED, UnsavedGuard } from "../../ui/UnsavedGuard";
import { useCan, useInstitution } from "../../ui/useInstitution";
import { KIND_LABELS, type ConnectorKind } from "../connector";
import type { SaleRule } from "../rules/rule";
import styles from "./connectors.module.css";
import { KindField } from "./KindField";
import { randomSecret, SHOPS } from "./kinds";
import { NoConnectorAccess } from "./NoConnectorAccess";
import { RuleEditor } from "./RuleEditor";

interface Draft {
  kind: ConnectorKind;
  name: string;
  signingSecret: string;
  rules: SaleRule[];
}

/** The name of a connector until somebody gives it another. */
const usualName = (kind: ConnectorKind) => (kind === "Generic" ? t`Our shop` : KIND_LABELS[kind]);

/** What can be changed in the settings afterwards. */
const USUAL = {
  enabled: true,
  onRefund: "Revoke",
  onDispute: "Suspend",
  onPaymentFailed: "Suspend",
  graceDays: 7,
} as const;

const EMPTY: Draft = { kind: "Stripe", name: usualName("Stripe"), signingSecret: "", rules: [] };

/** A connector that was created; `secret` was made here, and has to be entered in the shop. */
interface Created {
  id: string;
  name: string;
  secret: string | null;
}

async function create(institutionId: string, draft: Draft): Promise<Created | null> {
  const { kind, rules } = draft;
  const given = draft.signingSecret.trim();
  // A shop that shows its secret later gets a placeholder until then.
  const made = given === "" && kind !== "Generic" ? randomSecret() : null;
  const { data } = await api.POST("/api/connectors", {
    body: {
      institutionId,
      kind,
      name: draft.name.trim(),
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
  const [created, setCreated] = useState<Created | null>(null);
  const queries = useQueryClient();
  const navigate = useNavigate();
  const open = (id: string) =>
    void navigate(`/connectors/${id}`, { replace: true, state: UNGUARDED });
  const form = useApiForm({
    values: EMPTY,
    checks: ConnectorRequest,
    send: async (draft) => {
      const made = await create(institutionId, draft);
      await queries.invalidateQueries({ queryKey: listKey("connectors") });
      setCreated(made);
      if (made?.secret === null) open(made.id);
    },
  });
  const { field, control } = form;
  const { isDirty, dirtyFields } = form.formState;
  const [kind, rules] = useWatch({ control, name: ["kind", "rules"] });
  return (
    <Form form={form}>
      <UnsavedGuard when={created === null && isDirty} />
      <Column gap="l">
        <Section title={t`Shop`}>
          <Column gap="l" className={styles.fields}>
            <KindField
              {...field("kind")}
              onValue={(chosen) => {
                if (!dirtyFields.name) form.resetField("name", { defaultValue: usualName(chosen) });
              }}
            />
            <FormField
              {...field("name")}
              input={{ dir: "auto" }}
              helperText={t`For your team, if you have several.`}
            />
            <FormField
              {...field("signingSecret")}
              label={t`Signing secret`}
              input={{ spellCheck: false }}
              helperText={SHOPS[kind].secretHint}
            />
          </Column>
        </Section>
        <Section
          title={t`Rules`}
          subtitle={t`A rule says which license a buyer gets. You can also create each one with one click after its first sale.`}
        >
          <RuleEditor
            rules={rules}
            onRules={(changed) => {
              form.setValue("rules", changed, { shouldDirty: true });
              return Promise.resolve();
            }}
          />
        </Section>
        <FormProblem />
        <Row gap="s">
          <SubmitButton disabled={created !== null}>{t`Create connector`}</SubmitButton>
          <ButtonLink to="/connectors">{t`Cancel`}</ButtonLink>
        </Row>
      </Column>
      {created?.secret && (
        <SecretDialog
          title={t`Connector created`}
          label={t`Signing secret`}
          secret={created.secret}
          fileName="connector-secret.txt"
          onClose={() => open(created.id)}
        >
          {t`Enter it in your shop. The next page shows where, with the inbox address.`}
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
      subtitle={t`Connect a shop to turn its sales into licenses.`}
    >
      {institutionId && manage && <NewConnector institutionId={institutionId} />}
      {(institutionId === null || (institutionId && !manage)) && <NoConnectorAccess />}
    </Page>
  );
}
