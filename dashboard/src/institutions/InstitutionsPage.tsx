import { t } from "@lingui/core/macro";
import DialogContentText from "@mui/material/DialogContentText";
import { useState } from "react";
import { useNavigate } from "react-router";
import { InstitutionRequest } from "../api/checks";
import { $api, api } from "../api/client";
import { AddButton } from "../ui/AddButton";
import { FormDialog } from "../ui/form/FormDialog";
import { FormField } from "../ui/form/FormField";
import { useApiForm } from "../ui/form/useApiForm";
import { Page } from "../ui/Page";
import { useInstitution, useManagesAny } from "../ui/useInstitution";
import { useNotifyChanged } from "../ui/useNotifyChanged";
import { InstitutionList } from "./list/InstitutionList";

/** The institutions of the signed-in user; all institutions for a system Admin. */
export default function InstitutionsPage() {
  const { profile, memberships } = useInstitution();
  const signUp = useSignUp();
  const [isNew, setNew] = useState(false);
  const isAdmin = profile?.isSystemAdmin ?? false;
  const managesAny = useManagesAny();
  const mayFound = memberships.length === 0 && signUp === "Open";
  const add = (managesAny || mayFound) && (
    <AddButton onClick={() => setNew(true)}>{t`New institution`}</AddButton>
  );
  return (
    <Page
      title={t`Institutions`}
      subtitle={
        isAdmin
          ? t`All institutions of this service. You manage them as a system Admin.`
          : t`The institutions you belong to. Each has its own products, licenses and members.`
      }
      help="team-and-roles"
      actions={add}
    >
      <InstitutionList add={add} />
      {isNew && <NewInstitutionDialog onClose={() => setNew(false)} />}
    </Page>
  );
}

/** Whether sign-up is open; if so, users without an institution may create one. */
function useSignUp() {
  return $api.useQuery("get", "/api/auth/setup", {}, { staleTime: Infinity }).data?.signUp;
}

function NewInstitutionDialog({ onClose }: { onClose: () => void }) {
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
      <FormField {...form.field("name")} autoFocus input={{ dir: "auto" }} />
    </FormDialog>
  );
}
