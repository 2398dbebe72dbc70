import { t } from "@lingui/core/macro";
import { useEffect, type KeyboardEvent } from "react";
import { api, at } from "../../../api/client";
import { NoteRequest } from "../../../api/checks";
import type { License } from "../../../api/types";
import { Form, FormProblem, SubmitButton } from "../../../ui/form/Form";
import { FormField } from "../../../ui/form/FormField";
import { useApiForm } from "../../../ui/form/useApiForm";
import { Row } from "../../../ui/layout/layout";
import { useUrlParams } from "../../../ui/useUrlParams";

const HOTKEY = { "data-hotkey": "n", "aria-keyshortcuts": "n" };

/** Enter sends the note, unless it ends a word that is being composed; with Shift it is a new line. */
function sendOnEnter(event: KeyboardEvent) {
  if (event.key !== "Enter" || event.shiftKey || event.nativeEvent.isComposing) return;
  event.preventDefault();
  if (event.target instanceof HTMLTextAreaElement) event.target.form?.requestSubmit();
}

/**
 * Adds a note to the timeline of a license; the button shows once there is one to add. `?act=note`
 * puts the focus here.
 */
export function NoteField({ license }: { license: License }) {
  const form = useApiForm({
    values: { note: "" },
    checks: NoteRequest,
    send: (body) =>
      api.POST("/api/licenses/{licenseId}/notes", { ...at({ licenseId: license.id }), body }),
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
