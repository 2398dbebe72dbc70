import { t } from "@lingui/core/macro";
import Stack from "@mui/material/Stack";
import Typography from "@mui/material/Typography";
import { useState } from "react";
import { changed } from "../../api/changed";
import { dateTime } from "../../ui/formats";
import { Form, FormProblem, SubmitButton, useFormSubmission } from "../../ui/Form";
import { Section } from "../../ui/Section";
import { UnsavedGuard } from "../../ui/UnsavedGuard";
import { overlapEnd, type Connector } from "../connector";
import { bodyOf, ConsequenceFields, draftOf } from "./ConsequenceFields";
import { DangerSection } from "./DangerSection";
import { ReplaceSecret } from "./ReplaceSecret";
import { useConnectorActions } from "./useConnectorActions";

interface ConnectorProps {
  connector: Connector;
}

function Details({ connector }: ConnectorProps) {
  const [draft, setDraft] = useState(() => draftOf(connector));
  const { change } = useConnectorActions(connector);
  const body = changed(bodyOf(draft), connector);
  const isChanged = Object.keys(body).length > 0;
  const { attempt, submit } = useFormSubmission(() => change(body, t`Connector saved.`));
  return (
    <Section
      title={t`What happens to licenses`}
      subtitle={t`It applies to what the shop tells from now on. Whole refunds and disputes count, not parts of a payment.`}
    >
      <UnsavedGuard when={isChanged} />
      <Form attempt={attempt} submit={submit}>
        <Stack sx={{ gap: 2.5, alignItems: "flex-start", maxWidth: 480 }}>
          <ConsequenceFields draft={draft} onDraft={setDraft} />
          <FormProblem />
          <SubmitButton disabled={!isChanged}>{t`Save`}</SubmitButton>
        </Stack>
      </Form>
    </Section>
  );
}

function Secret({ connector }: ConnectorProps) {
  const until = overlapEnd(connector);
  return (
    <Section
      title={t`Signing secret`}
      subtitle={t`The shop signs its events with it. It cannot be viewed again, but replaced.`}
    >
      {until && (
        <Typography sx={{ mb: 1.5 }}>
          {t`The secret was replaced. The former one stays valid until ${{ time: dateTime(until) }}.`}
        </Typography>
      )}
      <ReplaceSecret connector={connector} />
    </Section>
  );
}

/** Settings of a connector: name, consequences, signing secret, disable and delete. */
export const SettingsTab = ({ connector }: ConnectorProps) => (
  <Stack sx={{ gap: 2 }}>
    <Details connector={connector} />
    <Secret connector={connector} />
    <DangerSection connector={connector} />
  </Stack>
);
