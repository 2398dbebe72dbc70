import Stack from "@mui/material/Stack";
import { FormField, useFieldMessage } from "../ui/Form";
import { EventPicker } from "./EventPicker";

export interface WebhookDraft {
  url: string;
  description: string;
  eventTypes: string[];
}

interface WebhookFieldsProps {
  draft: WebhookDraft;
  onDraft: (draft: WebhookDraft) => void;
}

/** What can be said of a webhook, with the server's word on it at each field. */
export function WebhookFields({ draft, onDraft }: WebhookFieldsProps) {
  const isRefused = useFieldMessage("eventTypes") !== undefined;
  return (
    <Stack sx={{ gap: 2.5, width: "100%", "& > .MuiTextField-root": { maxWidth: 720 } }}>
      <FormField
        name="url"
        label="Address"
        required
        value={draft.url}
        placeholder="https://shop.example.com/licet"
        helperText="Where the events are sent by POST. It begins with https:// and can be reached from the internet."
        slotProps={{ htmlInput: { maxLength: 2000, inputMode: "url" } }}
        onValue={(url) => {
          onDraft({ ...draft, url });
        }}
      />
      <FormField
        name="description"
        label="Description"
        value={draft.description}
        helperText="What takes the events, such as “The shop's back office”. It is the webhook's name here."
        slotProps={{ htmlInput: { maxLength: 500 } }}
        onValue={(description) => {
          onDraft({ ...draft, description });
        }}
      />
      <EventPicker
        value={draft.eventTypes}
        message={isRefused ? "Choose at least one kind of event." : undefined}
        onValue={(eventTypes) => {
          onDraft({ ...draft, eventTypes });
        }}
      />
    </Stack>
  );
}
