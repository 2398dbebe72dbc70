import { t } from "@lingui/core/macro";
import { FormField } from "../ui/form/FormField";
import type { ApiForm } from "../ui/form/useApiForm";
import { Column } from "../ui/layout/layout";
import { EventPicker } from "./EventPicker";
import type { WebhookDraft } from "./webhook";
import styles from "./webhooks.module.css";

/** The fields of a webhook. */
export const WebhookFields = ({ form: { field } }: { form: ApiForm<WebhookDraft> }) => (
  <>
    <Column gap="l" className={styles.texts}>
      <FormField
        {...field("url")}
        label={t`Endpoint URL`}
        placeholder="https://shop.example.com/licet"
        helperText={t`Events are sent here by POST. The URL must start with https:// and be reachable from the internet.`}
        input={{ inputMode: "url" }}
      />
      <FormField
        {...field("description")}
        label={t`Description`}
        helperText={t`The system that receives the events, for example “Shop back office”. Shown as the name of the webhook.`}
      />
    </Column>
    <EventPicker {...field("eventTypes")} />
  </>
);
