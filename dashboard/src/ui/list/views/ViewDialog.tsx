import { t } from "@lingui/core/macro";
import { SavedViewRequest } from "../../../api/checks";
import { FormCheckbox } from "../../form/FormCheckbox";
import { FormDialog } from "../../form/FormDialog";
import { FormField } from "../../form/FormField";
import { useApiForm } from "../../form/useApiForm";
import { useCan } from "../../useInstitution";

interface ViewDialogProps {
  title: string;
  /** The present name of the view; empty for a new one, which can be shared. */
  name: string;
  onSave: (name: string, isShared: boolean) => Promise<unknown>;
  onClose: () => void;
}

/** Names a view. */
export default function ViewDialog({ title, name, onSave, onClose }: ViewDialogProps) {
  const { manage } = useCan();
  const form = useApiForm({
    values: { name, shared: false },
    checks: SavedViewRequest,
    send: (given) => onSave(given.name.trim(), given.shared),
  });
  const { field } = form;
  return (
    <FormDialog form={form} title={title} action={t`Save`} onClose={onClose}>
      <FormField
        {...field("name")}
        autoFocus
        input={{ dir: "auto" }}
        helperText={name === "" && t`Saves the filters, the sort order and the columns.`}
      />
      {name === "" && manage && (
        <FormCheckbox {...field("shared")} label={t`Share with everyone in the institution`} />
      )}
    </FormDialog>
  );
}
