import { t } from "@lingui/core/macro";
import DialogContentText from "@mui/material/DialogContentText";
import { useState } from "react";
import { useNavigate } from "react-router";
import { api } from "../../api/client";
import { FormField } from "../../ui/Form";
import { FormDialog } from "../../ui/FormDialog";
import { useNotifyChanged } from "../../ui/useNotifyChanged";
import { useInstitution } from "../../ui/useInstitution";

export function NewInstitutionDialog({ onClose }: { onClose: () => void }) {
  const [name, setName] = useState("");
  const { switchTo } = useInstitution();
  const notifyChanged = useNotifyChanged();
  const navigate = useNavigate();
  const create = async () => {
    const { data } = await api.POST("/api/institutions", { body: { name } });
    if (!data) return;
    switchTo(data.id);
    notifyChanged(t`${{ institution: data.name }} created. You have been switched to it.`);
    await navigate(`/institutions/${data.id}`);
  };
  return (
    <FormDialog
      title={t`New institution`}
      action={t`Create institution`}
      onSubmit={create}
      onClose={onClose}
    >
      <DialogContentText>
        {t`It starts empty, with you as its Owner. Nothing from your other institutions is visible in it.`}
      </DialogContentText>
      <FormField
        name="name"
        label={t`Name`}
        required
        autoFocus
        value={name}
        onValue={setName}
        slotProps={{ htmlInput: { maxLength: 200, dir: "auto" } }}
      />
    </FormDialog>
  );
}
