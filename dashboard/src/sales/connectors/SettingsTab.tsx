import { t } from "@lingui/core/macro";
import { changed } from "../../api/changed";
import { ConnectorChange } from "../../api/checks";
import { dateTime } from "../../ui/formats";
import { Form, FormProblem, SubmitButton } from "../../ui/form/Form";
import { useApiForm } from "../../ui/form/useApiForm";
import { Column } from "../../ui/layout/layout";
import { Section } from "../../ui/Section";
import { UnsavedGuard } from "../../ui/UnsavedGuard";
import { overlapEnd, type Connector } from "../connector";
import { bodyOf, ConsequenceFields, draftOf } from "./ConsequenceFields";
import styles from "./connectors.module.css";
import { DangerSection } from "./DangerSection";
import { ReplaceSecret } from "./ReplaceSecret";
import { useConnectorActions } from "./useConnectorActions";

interface ConnectorProps {
  connector: Connector;
}

function Details({ connector }: ConnectorProps) {
  const { change } = useConnectorActions(connector);
  const form = useApiForm({
    values: draftOf(connector),
    checks: ConnectorChange,
    send: (draft) => change(changed(bodyOf(draft), connector), t`Connector saved.`),
  });
  const { isDirty } = form.formState;
  return (
    <Section
      title={t`What happens to licenses`}
      subtitle={t`Applies to events from now on. Only full refunds and disputes count, not partial ones.`}
    >
      <UnsavedGuard when={isDirty} />
      <Form form={form}>
        <Column gap="l" align="start" className={styles.fields}>
          <ConsequenceFields form={form} />
          <FormProblem />
          <SubmitButton disabled={!isDirty}>{t`Save`}</SubmitButton>
        </Column>
      </Form>
    </Section>
  );
}

function Secret({ connector }: ConnectorProps) {
  const until = overlapEnd(connector);
  return (
    <Section
      title={t`Signing secret`}
      subtitle={t`The shop signs its events with it. It cannot be viewed again, only replaced.`}
    >
      {until && (
        <p className={styles.replaced}>
          {t`The secret was replaced. The previous one stays valid until ${{ time: dateTime(until) }}.`}
        </p>
      )}
      <ReplaceSecret connector={connector} />
    </Section>
  );
}

/** Settings of a connector: name, consequences, signing secret, disable and delete. */
export const SettingsTab = ({ connector }: ConnectorProps) => (
  <Column gap="l">
    <Details connector={connector} />
    <Secret connector={connector} />
    <DangerSection connector={connector} />
  </Column>
);
