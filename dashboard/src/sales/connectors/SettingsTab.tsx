import { t } from "@lingui/core/macro";
import { useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "react-router";
import { changed } from "../../api/fields";
import { ConnectorChange } from "../../api/checks";
import { api } from "../../api/client";
import { DisableOrDelete } from "../../ui/DisableOrDelete";
import { SaveForm } from "../../ui/form/SaveForm";
import { useApiForm } from "../../ui/form/useApiForm";
import { dateTime } from "../../ui/formats";
import { Column } from "../../ui/layout/layout";
import { listKey } from "../../ui/list/useList";
import { Section } from "../../ui/Section";
import { notify } from "../../ui/toasts/toasts";
import { UNGUARDED } from "../../ui/UnsavedGuard";
import { type Connector, CONNECTOR, overlapEnd, pathOf, useConnectorActions } from "../connector";
import styles from "./connectors.module.css";
import { ConsequenceFields, FIELDS } from "./ConsequenceFields";
import { ReplaceSecret } from "./SetupTab";

interface ConnectorProps {
  connector: Connector;
}

function Details({ connector }: ConnectorProps) {
  const { change } = useConnectorActions(connector);
  const form = useApiForm({
    values: FIELDS.draftOf(connector),
    checks: ConnectorChange,
    send: (draft) => change(changed(FIELDS.bodyOf(draft), connector), t`Connector saved.`),
  });
  return (
    <Section
      title={t`What happens to licenses`}
      subtitle={t`Applies to events from now on. Only full refunds and disputes count, not partial ones.`}
    >
      <SaveForm form={form}>
        <Column gap="l" align="start" className={styles.fields}>
          <ConsequenceFields form={form} />
        </Column>
      </SaveForm>
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

/** Disables or deletes a connector. */
function DangerSection({ connector }: { connector: Connector }) {
  const { change } = useConnectorActions(connector);
  const queries = useQueryClient();
  const navigate = useNavigate();
  const remove = async () => {
    await api.DELETE(CONNECTOR, { params: pathOf(connector.id) });
    notify(t`Connector ${{ name: connector.name }} deleted.`, { type: "success" });
    await navigate("/connectors", { state: UNGUARDED });
    // Not everything: the page of the connector might still ask for it.
    for (const path of ["connectors", "orders"])
      await queries.invalidateQueries({ queryKey: listKey(path) });
  };
  return (
    <DisableOrDelete
      advice={
        connector.enabled
          ? t`Disable the connector to stop it for a while. Delete it if you no longer sell there; the licenses stay.`
          : t`The connector is disabled. Delete it if you no longer sell there; the licenses stay.`
      }
      disable={
        connector.enabled
          ? {
              label: t`Disable connector`,
              consequence: t`Until you enable it again, events from the shop are rejected and orders are not processed. Most shops retry for several days, so a short pause loses nothing. Licenses do not change.`,
              run: () => change({ enabled: false }, t`Connector disabled.`),
            }
          : undefined
      }
      remove={{
        label: t`Delete connector`,
        consequence: t`This deletes “${{ name: connector.name }}” with its rules, orders and events. Its licenses stay as they are, but renewals, refunds and cancellations no longer reach them. This cannot be undone.`,
        typed: connector.name,
        run: remove,
      }}
    />
  );
}
