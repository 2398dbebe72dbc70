import { t } from "@lingui/core/macro";
import Stack from "@mui/material/Stack";
import { FormField, useFieldMessage } from "../ui/Form";
import { EventPicker } from "./EventPicker";
import type { EventType } from "./eventTypes";

export interface WebhookDraft {
  url: string;
  description: string;
  eventTypes: EventType[];
}

interface WebhookFieldsProps {
  draft: WebhookDraft;
  onDraft: (draft: WebhookDraft) => void;
}

/** The fields of a webhook with the server's validation errors. */
export function WebhookFields({ draft, onDraft }: WebhookFieldsProps) {
  const isRefused = useFieldMessage("eventTypes") !== undefined;
  return (
    <Stack sx={{ gap: 2.5, width: "100%", "& > .MuiTextField-root": { maxWidth: 720 } }}>
      <FormField
        name="url"
        label={t`Endpoint URL`}
        required
        value={draft.url}
        placeholder="https://shop.example.com/licet"
        helperText={t`Events are sent here by POST. The URL must start with https:// and be reachable from the internet.`}
        slotProps={{ htmlInput: { maxLength: 2000, inputMode: "url" } }}
        onValue={(url) => {
          onDraft({ ...draft, url });
        }}
      />
      <FormField
        name="description"
        label={t`Description`}
        value={draft.description}
        helperText={t`The system that receives the events, for example “Shop back office”. Shown as the name of the webhook.`}
        slotProps={{ htmlInput: { maxLength: 500 } }}
        onValue={(description) => {
          onDraft({ ...draft, description });
        }}
      />
      <EventPicker
        value={draft.eventTypes}
        message={isRefused ? t`Select at least one event.` : undefined}
        onValue={(eventTypes) => {
          onDraft({ ...draft, eventTypes });
        }}
      />
    </Stack>
  );
}
