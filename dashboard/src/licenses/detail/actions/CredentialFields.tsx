import { t } from "@lingui/core/macro";
import { useWatch } from "react-hook-form";
import type { License } from "../../../api/types";
import { FormField } from "../../../ui/form/FormField";
import type { ApiForm } from "../../../ui/form/useApiForm";
import { Row } from "../../../ui/layout/layout";
import type { Draft } from "./EditDialog";

interface CredentialFieldsProps {
  license: License;
  form: ApiForm<Draft>;
}

/** The username and the password that online validation requires, if the license has them. */
export function CredentialFields({ license, form: { control, field } }: CredentialFieldsProps) {
  const [username, password] = useWatch({ control, name: ["username", "password"] });
  const isKept = license.username !== null && username.trim() !== "";
  return (
    <Row gap="l" align="stretch" folds>
      <FormField
        {...field("username")}
        label={t`Username`}
        required={password !== ""}
        helperText={t`If both are set, online validation requires them.`}
      />
      <FormField
        {...field("password")}
        type="password"
        label={t`Password`}
        autoComplete="new-password"
        required={username.trim() !== "" && !isKept}
        helperText={isKept ? t`Leave empty to keep the password.` : t`It cannot be viewed again.`}
      />
    </Row>
  );
}
