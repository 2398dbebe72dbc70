import { t } from "@lingui/core/macro";
import Skeleton from "@mui/material/Skeleton";
import { keepPreviousData } from "@tanstack/react-query";
import { useState } from "react";
import { $api } from "../../../api/client";
import type { License, Schemas } from "../../../api/types";
import { Form, SubmitButton } from "../../../ui/form/Form";
import { FormField } from "../../../ui/form/FormField";
import { useApiForm } from "../../../ui/form/useApiForm";
import { useField } from "../../../ui/form/useField";
import { Column, Row } from "../../../ui/layout/layout";
import { ProblemAlert } from "../../../ui/ProblemAlert";
import { Section } from "../../../ui/Section";
import { HardwareIdField } from "../HardwareIdField";
import { Verdict } from "./Verdict";
import styles from "./why.module.css";

type Asked = Schemas["ExplainLicenseRequest"];

const NOTHING = { hardwareId: "", appVersion: "" };

const bodyOf = ({ hardwareId, appVersion }: typeof NOTHING): Asked => ({
  ...(hardwareId.trim() && { hardwareId: hardwareId.trim() }),
  ...(appVersion.trim() && { appVersion: appVersion.trim() }),
});

/** Explains, rule by rule, why the license is valid or not. */
export function WhyTab({ license }: { license: License }) {
  const [asked, setAsked] = useState<Asked>({});
  const { data, error, isFetching, refetch } = $api.useQuery(
    "post",
    "/api/licenses/{licenseId}/explain",
    { params: { path: { licenseId: license.id } }, body: asked },
    { placeholderData: keepPreviousData, staleTime: 0 },
  );
  const form = useApiForm({
    values: NOTHING,
    send: async (given) => {
      const next = bodyOf(given);
      if (JSON.stringify(next) === JSON.stringify(asked)) await refetch();
      else setAsked(next);
    },
  });
  const hardwareId = useField(form.field("hardwareId"));
  return (
    <Column gap="l">
      <Section
        title={t`Test validation`}
        help="why"
        subtitle={t`See the result an application on a given machine would get now. This changes nothing: no machine is bound, and no access attempt is recorded.`}
      >
        <Form form={form}>
          <Row gap="m" folds align="start">
            <HardwareIdField
              license={license}
              value={hardwareId.value}
              onChange={hardwareId.set}
              helperText={t`Optional. The machine to test.`}
            />
            <FormField
              {...form.field("appVersion")}
              label={t`Application version`}
              helperText={t`Optional. For example 2.1.0.`}
              demand={{ maxLength: 256 }}
            />
            <SubmitButton loading={isFetching} className={styles.ask}>
              {t({ message: "Test", context: "verb" })}
            </SubmitButton>
          </Row>
        </Form>
      </Section>
      {error ? (
        <ProblemAlert error={error} />
      ) : data ? (
        <Verdict explanation={data} />
      ) : (
        <Skeleton variant="rounded" height={420} />
      )}
    </Column>
  );
}
