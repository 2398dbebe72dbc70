import { t } from "@lingui/core/macro";
import Alert from "@mui/material/Alert";
import Button from "@mui/material/Button";
import { useWatch } from "react-hook-form";
import { Navigate, useNavigate } from "react-router";
import { ProductRequest } from "../api/checks";
import { Form, FormProblem, SubmitButton } from "../ui/form/Form";
import { FormCheckbox } from "../ui/form/FormCheckbox";
import { FormField } from "../ui/form/FormField";
import { type ApiForm, type FieldProps, useApiForm } from "../ui/form/useApiForm";
import { useField } from "../ui/form/useField";
import { ImagePicker } from "../ui/ImagePicker";
import { Column, Row } from "../ui/layout/layout";
import { Page } from "../ui/Page";
import { ButtonLink } from "../ui/PageLink";
import { Section } from "../ui/Section";
import { notify } from "../ui/toasts/toasts";
import { useCan, useInstitution } from "../ui/useInstitution";
import { useRefresh } from "../ui/useNotifyChanged";
import { createProduct, NEW_PRODUCT, type ProductDraft } from "./new/createProduct";
import styles from "./new/newProduct.module.css";
import { AccessFields, ChannelField, KeySizeField } from "./parts/fields";

/** Creates a product with its first release and, by default, its RSA keys. */
export default function NewProductPage() {
  const { institutionId, institutionName, profile } = useInstitution();
  const { manage } = useCan();
  const navigate = useNavigate();
  const refresh = useRefresh();
  const form = useApiForm({
    values: NEW_PRODUCT,
    checks: ProductRequest,
    send: async (draft) => {
      const { product, warnings } = await createProduct(institutionId ?? undefined, draft);
      refresh();
      if (warnings.length === 0) notify(t`Product created.`, { type: "success" });
      else notify(warnings.join(" "), { type: "warning", stays: true });
      await navigate(`/products/${product.id}`, { replace: true });
    },
  });
  const { field } = form;
  if (profile && !manage) return <Navigate to="/products" replace />;
  return (
    <Page
      title={t`New product`}
      subtitle={institutionName && t`The product will belong to ${institutionName}.`}
      help="getting-started"
      back={{ to: "/products", label: t`Products` }}
    >
      <Form form={form}>
        <Column gap="l" className={styles.sections}>
          <Section title={t`Product`}>
            <Column gap="l">
              <FormField
                {...field("name")}
                autoFocus
                input={{ dir: "auto" }}
                helperText={t`Shown to customers in the portal. You can change it later.`}
              />
              <FormField {...field("description")} multiline minRows={2} input={{ dir: "auto" }} />
              <ImageField {...field("image")} />
              <FormCheckbox
                {...field("isTest")}
                look="switch"
                label={t`Test product`}
                helperText={t`For your own tests: its licenses unlock nothing that you sell and count nowhere. This cannot be changed later.`}
              />
            </Column>
          </Section>
          <Section
            title={t`First release`}
            subtitle={t`It is published immediately. You can add files later.`}
            help="releases"
          >
            <Row gap="l" align="stretch" folds>
              <FormField
                {...field("initialVersion")}
                label={t`Version`}
                helperText={t`For example 1.0.0. A license for 1.x does not include 2.0.`}
              />
              <ChannelField {...field("releaseChannel")} />
            </Row>
          </Section>
          <Section title={t`Access`}>
            <AccessFields {...field("accessType")} />
          </Section>
          <Section
            title={t`RSA keys`}
            subtitle={t`The private key signs licenses and never leaves the service. Your application verifies them with the public key.`}
            help="rsa-keys"
          >
            <KeysChoice form={form} />
          </Section>
          <FormProblem />
          <Row gap="s" place="atEnd">
            <ButtonLink to="/products">{t`Cancel`}</ButtonLink>
            <SubmitButton>{t`Create product`}</SubmitButton>
          </Row>
        </Column>
      </Form>
    </Page>
  );
}

/** The image that the product gets once it is there. */
function ImageField(field: FieldProps<ProductDraft, "image">) {
  const { value: image, set } = useField(field);
  return (
    <ImagePicker
      label={t`Choose image`}
      seenBy={t`Visible to anyone who knows the product ID.`}
      preview={image?.address ?? null}
      onPick={set}
    >
      {image && <Button onClick={() => set(null)}>{t`Remove`}</Button>}
    </ImagePicker>
  );
}

/** Whether to generate RSA keys with the product. */
function KeysChoice({ form }: { form: ApiForm<ProductDraft> }) {
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
