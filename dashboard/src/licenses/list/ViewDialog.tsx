import { t } from "@lingui/core/macro";
import Checkbox from "@mui/material/Checkbox";
import FormControlLabel from "@mui/material/FormControlLabel";
import { useState } from "react";
import { FormField } from "../../ui/Form";
import { FormDialog } from "../../ui/FormDialog";
import { useCan } from "../../ui/useInstitution";

interface ViewDialogProps {
  title: string;
  /** The present name of the view; empty for a new one, which can be shared. */
  name: string;
  onSave: (name: string, isShared: boolean) => Promise<unknown>;
  onClose: () => void;
}

/** Names a view. */
export function ViewDialog({ title, name, onSave, onClose }: ViewDialogProps) {
  const { manage } = useCan();
  const [text, setText] = useState(name);
  const [isShared, setShared] = useState(false);
  const given = text.trim();
  return (
    <FormDialog
      title={title}
      action={t`Save`}
      disabled={given === ""}
      onSubmit={() => onSave(given, isShared)}
      onClose={onClose}
    >
      <FormField
        name="name"
        label={t`Name`}
        required
        autoFocus
        value={text}
        onValue={setText}
        slotProps={{ htmlInput: { maxLength: 60, dir: "auto" } }}
        helperText={name === "" && t`Saves the filters, the sort order and the columns.`}
      />
      {name === "" && manage && (
        <FormControlLabel
          label={t`Share with everyone in the institution`}
          control={
            <Checkbox
              checked={isShared}
              onChange={(_, checked) => {
                setShared(checked);
              }}
            />
          }
        />
      )}
    </FormDialog>
  );
}
