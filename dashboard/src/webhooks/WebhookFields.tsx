import { t } from "@lingui/core/macro";
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

/** The fields of a webhook. */
export const WebhookFields = ({ form: { field }, autoFocus = false }: WebhookFieldsProps) => (
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
    <CopyField label={t`Python receiver`} value={receiverOf(secret)} block />
  </>
);
