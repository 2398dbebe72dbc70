import DialogContentText from "@mui/material/DialogContentText";
import { useState } from "react";
import { useNavigate } from "react-router";
import { api } from "../../api/client";
import { FormField } from "../../ui/Form";
import { FormDialog } from "../../ui/FormDialog";
import { useChanged } from "../../ui/useChanged";
import { useInstitution } from "../../ui/useInstitution";

export function NewInstitutionDialog({ onClose }: { onClose: () => void }) {
  const [name, setName] = useState("");
  const { switchTo } = useInstitution();
  const changed = useChanged();
  const navigate = useNavigate();
  const create = async () => {
    const { data } = await api.POST("/api/institutions", { body: { name } });
    if (!data) return;
    switchTo(data.id);
    changed(`${data.name} stands, and you work in it now.`);
    await navigate(`/institutions/${data.id}`);
  };
  return (
    <FormDialog
      title="New institution"
      action="Create institution"
      onSubmit={create}
      onClose={onClose}
    >
      <DialogContentText>
        It starts without products, and with you as its Owner. What belongs to your other
        institutions is not seen in it.
      </DialogContentText>
      <FormField
        name="name"
        label="Name"
        required
        autoFocus
        value={name}
        onValue={setName}
        slotProps={{ htmlInput: { maxLength: 200, dir: "auto" } }}
      />
    </FormDialog>
  );
}
