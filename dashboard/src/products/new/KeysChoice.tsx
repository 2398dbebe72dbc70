import { t } from "@lingui/core/macro";
import Alert from "@mui/material/Alert";
import { useWatch } from "react-hook-form";
import { FormCheckbox } from "../../ui/form/FormCheckbox";
import type { ApiForm } from "../../ui/form/useApiForm";
import { Column } from "../../ui/layout/layout";
import { KeySizeField } from "../parts/KeySizeField";
import type { ProductDraft } from "./draft";

/** Whether to generate RSA keys with the product. */
export function KeysChoice({ form }: { form: ApiForm<ProductDraft> }) {
  const { control, field } = form;
  const hasKeys = useWatch({ control, name: "hasKeys" });
  return (
    <Column gap="l" align="start">
      <FormCheckbox {...field("hasKeys")} look="switch" label={t`Generate RSA keys now`} />
      {hasKeys ? (
        <KeySizeField {...field("keySize")} />
      ) : (
        <Alert severity="info">
          {t`You cannot issue licenses until the product has RSA keys. You can generate them later on the product page.`}
        </Alert>
      )}
    </Column>
  );
}
