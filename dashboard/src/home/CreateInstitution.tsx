import { t } from "@lingui/core/macro";
import Card from "@mui/material/Card";
import { useQueryClient } from "@tanstack/react-query";
import { InstitutionRequest } from "../api/checks";
import { api } from "../api/client";
import { EmptyState } from "../ui/EmptyState";
import { Form, FormProblem, SubmitButton } from "../ui/form/Form";
import { FormField } from "../ui/form/FormField";
import { useApiForm } from "../ui/form/useApiForm";
import { Column, Row } from "../ui/layout/layout";
import { InstitutionIcon } from "../ui/icons";
import { Page } from "../ui/Page";
import { ButtonLink } from "../ui/PageLink";
import { useChosenInstitution } from "../ui/useInstitution";
import { notify } from "../ui/toasts/toasts";
import styles from "./home.module.css";

/** Lets a system Admin without an institution create one. */
export default function CreateInstitution() {
  const [, choose] = useChosenInstitution();
  const queries = useQueryClient();
  const form = useApiForm({
    values: { name: "" },
    checks: InstitutionRequest,
    send: async ({ name }) => {
      const { data } = await api.POST("/api/institutions", { body: { name: name.trim() } });
      if (data) choose(data.id);
      await queries.invalidateQueries({ queryKey: ["get", "/api/auth/me"] });
      notify(t`Institution created. You are its Owner.`, { type: "success" });
    },
  });
  const { field } = form;
  return (
    <Page title={t`Home`} help="getting-started">
      <Card>
        <EmptyState icon={<InstitutionIcon />} title={t`You have no institution yet`}>
          {t`An institution is the company whose products are licensed here. Create one, or open the portal to see licenses issued to you.`}
          <Form form={form}>
            <Column gap="l" className={styles.form}>
              <FormField {...field("name")} label={t`Institution name`} />
              <FormProblem />
              <Row gap="s" wraps>
                <SubmitButton>{t`Create institution`}</SubmitButton>
                <ButtonLink to="/portal">{t`Open portal`}</ButtonLink>
              </Row>
            </Column>
          </Form>
        </EmptyState>
      </Card>
    </Page>
  );
}
