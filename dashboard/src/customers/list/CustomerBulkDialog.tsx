import { t } from "@lingui/core/macro";
import type { BulkDialogProps } from "../../ui/bulk/BulkBar";
import { BulkNames } from "../../ui/bulk/BulkLists";
import { ConfirmFormDialog } from "../../ui/ConfirmDialog";
import { type ApiForm, useApiForm } from "../../ui/form/useApiForm";
import { useField } from "../../ui/form/useField";
import { TagInput } from "../../ui/tags/TagInput";
import { BULK_ACTIONS, type BulkGiven, type BulkKind, type Listed } from "./customerBulk";

/** Confirms what is done with the selected customers, and asks for the tag. */
export default function CustomerBulkDialog({
  kind,
  items,
  beyond,
  onStart,
  onClose,
}: BulkDialogProps<Listed, BulkGiven, BulkKind>) {
  const { named, consequence } = BULK_ACTIONS[kind];
  const asksTag = kind !== "portalLink";
  const form = useApiForm({
    values: { tag: "" },
    send: ({ tag }) => {
      onStart({ items, given: asksTag ? { tag: tag.trim() } : {} });
      return Promise.resolve();
    },
  });
  const action = named(items.length);
  return (
    <ConfirmFormDialog
      form={form}
      title={t`${{ act: action }}?`}
      consequence={
        <>
          {consequence}
          <BulkNames names={items.map(({ name }) => name)} />
        </>
      }
      action={action}
      onClose={onClose}
    >
      {beyond}
      {asksTag && <TagField form={form} institutionId={items[0]?.institutionId ?? null} />}
    </ConfirmFormDialog>
  );
}

interface TagFieldProps {
  form: ApiForm<{ tag: string }>;
  institutionId: string | null;
}

function TagField({ form, institutionId }: TagFieldProps) {
  const { value, set, message } = useField(form.field("tag"), {
    fault: (tag) => (String(tag).trim() === "" ? t`Enter a tag.` : undefined),
  });
  return (
    <TagInput
      of="customers"
      institutionId={institutionId}
      label={t`Tag`}
      value={value}
      autoFocus
      error={message}
      onType={set}
    />
  );
}
