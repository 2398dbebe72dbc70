import { t } from "@lingui/core/macro";
import DialogContentText from "@mui/material/DialogContentText";
import { useNavigate } from "react-router";
import { InstitutionRequest } from "../../api/checks";
import { api } from "../../api/client";
import { FormDialog } from "../../ui/form/FormDialog";
import { FormField } from "../../ui/form/FormField";
import { useApiForm } from "../../ui/form/useApiForm";
import { useNotifyChanged } from "../../ui/useNotifyChanged";
import { useInstitution } from "../../ui/useInstitution";

export function NewInstitutionDialog({ onClose }: { onClose: () => void }) {
  const { switchTo } = useInstitution();
  const notifyChanged = useNotifyChanged();
  const navigate = useNavigate();
  const form = useApiForm({
    values: { name: "" },
    checks: InstitutionRequest,
    send: async (body) => {
      const { data } = await api.POST("/api/institutions", { body });
      if (!data) return;
      switchTo(data.id);
      notifyChanged(t`${{ institution: data.name }} created. You have been switched to it.`);
      await navigate(`/institutions/${data.id}`);
    },
  });
  return (
    <FormDialog
      form={form}
      title={t`New institution`}
      action={t`Create institution`}
      onClose={onClose}
    >
      <DialogContentText>
        {t`It starts empty, with you as its Owner. Nothing from your other institutions is visible in it.`}
      </DialogContentText>
      <FormField {...form.field("name")} label={t`Name`} autoFocus input={{ dir: "auto" }} />
    </FormDialog>
  );
}
