import { t } from "@lingui/core/macro";
import { useEffect, type KeyboardEvent } from "react";
import { NoteRequest } from "../api/checks";
import { Form, FormProblem, SubmitButton } from "./form/Form";
import { FormField } from "./form/FormField";
import { useApiForm } from "./form/useApiForm";
import { Row } from "./layout/layout";
import { useUrlParams } from "./useUrlParams";

const HOTKEY = { "data-hotkey": "n", "aria-keyshortcuts": "n" };

/** Enter sends the note, unless it ends a word that is being composed; with Shift it is a new line. */
function sendOnEnter(event: KeyboardEvent) {
  if (event.key !== "Enter" || event.shiftKey || event.nativeEvent.isComposing) return;
  event.preventDefault();
  if (event.target instanceof HTMLTextAreaElement) event.target.form?.requestSubmit();
}

interface NewNoteProps {
  /** Stores the note. */
  add: (body: { note: string }) => Promise<unknown>;
}

/**
 * Adds a dated note about a license or a customer; the button shows once there is one to add.
 * `?act=note` puts the focus here.
 */
export function NewNote({ add }: NewNoteProps) {
  const form = useApiForm({
    values: { note: "" },
    checks: NoteRequest,
    send: add,
    done: t`Note added.`,
  });
  const { note } = form.watch();
  const { params, change } = useUrlParams();
  const isAsked = params.get("act") === "note";
  useEffect(() => {
    if (!isAsked) return;
    form.setFocus("note");
    change({ act: null }, true);
  }, [isAsked, form, change]);
  return (
    <Form form={form} onDone={() => form.reset({ note: "" })} aria-label={t`Note`}>
      <Row gap="s" align="start">
        <FormField
          {...form.field("note")}
          multiline
          maxRows={8}
          size="small"
          label=""
          placeholder={t`Add a note`}
          input={{ "aria-label": t`Add a note`, ...HOTKEY }}
          onKeyDown={sendOnEnter}
          helperText={note && t`For your team only. Shift+Enter for a new line.`}
        />
        {note !== "" && <SubmitButton variant="outlined">{t`Add`}</SubmitButton>}
      </Row>
      <FormProblem />
    </Form>
  );
}
