import { t } from "@lingui/core/macro";
import Button from "@mui/material/Button";
import Card from "@mui/material/Card";
import Stack from "@mui/material/Stack";
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { Link } from "react-router";
import { InstitutionIcon } from "../ui/icons";
import { api } from "../api/client";
import { EmptyState } from "../ui/EmptyState";
import { Form, FormField, FormProblem, SubmitButton, useFormSubmission } from "../ui/Form";
import { Page } from "../ui/Page";
import { useChosenInstitution } from "../ui/useInstitution";
import { notify } from "../ui/toasts/toasts";

/** Lets a system Admin without an institution create one. */
export function CreateInstitution() {
  const [name, setName] = useState("");
  const [, choose] = useChosenInstitution();
  const queries = useQueryClient();
  const form = useFormSubmission(async () => {
    const { data } = await api.POST("/api/institutions", { body: { name: name.trim() } });
    if (data) choose(data.id);
    await queries.invalidateQueries({ queryKey: ["get", "/api/auth/me"] });
    notify(t`Institution created. You are its Owner.`, { type: "success" });
  });
  return (
    <Page title={t`Home`} help="getting-started">
      <Card>
        <EmptyState icon={<InstitutionIcon />} title={t`You have no institution yet`}>
          {t`An institution is the company whose products are licensed here. Create one, or open the portal to see licenses issued to you.`}
          <Form {...form}>
            <Stack sx={{ gap: 2, mt: 3, textAlign: "left" }}>
              <FormField
                name="name"
                label={t`Institution name`}
                value={name}
                onValue={setName}
                required
                slotProps={{ htmlInput: { maxLength: 200 } }}
              />
              <FormProblem />
              <Stack direction="row" sx={{ gap: 1, flexWrap: "wrap" }}>
                <SubmitButton disabled={!name.trim()}>{t`Create institution`}</SubmitButton>
                <Button component={Link} to="/portal">
                  {t`Open portal`}
                </Button>
              </Stack>
            </Stack>
          </Form>
        </EmptyState>
      </Card>
    </Page>
  );
}
