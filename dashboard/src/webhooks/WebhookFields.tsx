import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import Alert from "@mui/material/Alert";
import { useWatch } from "react-hook-form";
import { CopyField } from "../ui/CopyField";
import { FormCheckbox } from "../ui/form/FormCheckbox";
import { FormField } from "../ui/form/FormField";
import type { ApiForm } from "../ui/form/useApiForm";
import { Column } from "../ui/layout/layout";
import { Muted } from "../ui/Muted";
import { EventPicker } from "./EventPicker";
import type { WebhookDraft } from "./webhook";
import styles from "./webhooks.module.css";

interface WebhookFieldsProps {
  form: ApiForm<WebhookDraft>;
  /** Whether the page begins here. */
  autoFocus?: boolean;
}

/** What is wrong with a URL wherever the service runs. */
export const faultsOf = ({ url }: Pick<WebhookDraft, "url">) => {
  const given = url.trim();
  if (given === "" || /^https?:\/\/[^/]/i.test(given)) return {};
  return { url: t`Must begin with https://.` };
};

/** Whether only a service that was set up for it sends there: without TLS, or to this machine. */
const isForTrying = (url: string) =>
  /^(http:|https:\/\/(localhost|127\.|10\.|192\.168\.|\[::1\]))/i.test(url.trim());

/** How to receive events on the computer of a developer. */
const OnThisComputer = () => (
  <Alert severity="info" role="status">
    <Trans>
      Events go only to https addresses that the internet reaches. To try a receiver on your
      computer, give it such an address with a tunnel, for example <code>cloudflared</code> or{" "}
      <code>ngrok</code>. Or start a service of your own there with{" "}
      <code>LICET_WEBHOOKS_ALLOW_PRIVATE=true</code>.
    </Trans>
  </Alert>
);

/** The fields of a webhook. */
export function WebhookFields({ form: { field, control }, autoFocus = false }: WebhookFieldsProps) {
  const url = useWatch({ control, name: "url" });
  return (
    <>
      <Column gap="l" className={styles.texts}>
        <FormField
          {...field("url")}
          label={t`Endpoint URL`}
          autoFocus={autoFocus}
          placeholder="https://shop.example.com/licet"
          helperText={t`Events are sent here by POST. The URL must start with https:// and be reachable from the internet.`}
          input={{ inputMode: "url" }}
        />
        {isForTrying(url) && <OnThisComputer />}
        <FormField
          {...field("description")}
          helperText={t`The system that receives the events, for example “Shop back office”. Shown as the name of the webhook.`}
        />
      </Column>
      <EventPicker {...field("eventTypes")} />
      <FormCheckbox
        {...field("includeKeys")}
        label={t`Send the license key with license.created`}
        helperText={t`Turn it on only if the receiver hands out keys. It must keep them as safe as a password.`}
      />
    </>
  );
}

/** A ready-to-run receiver with the secret filled in. */
const receiverOf = (secret: string): string => `# pip install standardwebhooks
from http.server import BaseHTTPRequestHandler, HTTPServer
from standardwebhooks import Webhook, WebhookVerificationError

webhook = Webhook("${secret}")

class Receiver(BaseHTTPRequestHandler):
    def do_POST(self):
        body = self.rfile.read(int(self.headers["content-length"]))
        try:
            event = webhook.verify(body, self.headers)
        except WebhookVerificationError:
            self.send_response(401)
        else:
            print(event["type"], event["data"])
            self.send_response(204)
        self.end_headers()

HTTPServer(("", 8080), Receiver).serve_forever()
`;

/** Explains how to verify events with the secret. */
export const ReceiverSnippet = ({ secret }: { secret: string }) => (
  <>
    <Muted>
      {t`Your receiver verifies events with this secret. There are Standard Webhooks libraries for most languages. A complete receiver in Python:`}
    </Muted>
    <details>
      <summary>{t`Show the receiver`}</summary>
      <CopyField label={t`Python receiver`} value={receiverOf(secret)} block />
    </details>
  </>
);
