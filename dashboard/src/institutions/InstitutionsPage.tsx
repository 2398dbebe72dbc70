import { t } from "@lingui/core/macro";
import Button from "@mui/material/Button";
import { useState } from "react";
import { AddIcon } from "../ui/icons";
import { Page } from "../ui/Page";
import { useInstitution, useManagesAny } from "../ui/useInstitution";
import { InstitutionList } from "./list/InstitutionList";
import { NewInstitutionDialog } from "./list/NewInstitutionDialog";
import { useSignUp } from "./list/useSignUp";

/** The institutions of the signed-in user; all institutions for a system Admin. */
export default function InstitutionsPage() {
  const { profile, memberships } = useInstitution();
  const signUp = useSignUp();
  const [isNew, setNew] = useState(false);
  const isAdmin = profile?.isSystemAdmin ?? false;
  const managesAny = useManagesAny();
  const mayFound = memberships.length === 0 && signUp === "Open";
  const add = (managesAny || mayFound) && (
    <Button variant="contained" startIcon={<AddIcon />} onClick={() => setNew(true)}>
      {t`New institution`}
    </Button>
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
