import { t } from "@lingui/core/macro";
import Button from "@mui/material/Button";
import Stack from "@mui/material/Stack";
import { useState } from "react";
import { Link, Navigate, useNavigate } from "react-router";
import { Form, FormField, FormProblem, SubmitButton, useFormSubmission } from "../ui/Form";
import { Page } from "../ui/Page";
import { Section } from "../ui/Section";
import { useCan, useInstitution } from "../ui/useInstitution";
import { createProduct } from "./new/createProduct";
import { NEW_PRODUCT, type ProductDraft } from "./new/draft";
import { KeysChoice } from "./new/KeysChoice";
import { AccessFields } from "./parts/AccessFields";
import { ChannelField } from "./parts/ChannelField";
import { ImagePicker } from "../ui/ImagePicker";
import { notify } from "../ui/toasts/toasts";
import { useRefresh } from "../ui/useRefresh";

/** Creates a product with its first release and, by default, its RSA keys. */
export default function NewProductPage() {
  const { institutionId, institutionName, profile } = useInstitution();
  const { manage } = useCan();
  const navigate = useNavigate();
  const refresh = useRefresh();
  const [draft, setDraft] = useState<ProductDraft>(NEW_PRODUCT);
  const set = (change: Partial<ProductDraft>) => {
    setDraft((now) => ({ ...now, ...change }));
  };
  const form = useFormSubmission(async () => {
    const { product, warnings } = await createProduct(institutionId ?? undefined, draft);
    refresh();
    if (warnings.length === 0) notify(t`Product created.`, { type: "success" });
    else notify(warnings.join(" "), { type: "warning", stays: true });
    await navigate(`/products/${product.id}`, { replace: true });
  });
  if (profile && !manage) return <Navigate to="/products" replace />;
  return (
    <Page
      title={t`New product`}
      subtitle={institutionName && t`The product will belong to ${institutionName}.`}
      help="getting-started"
      back={{ to: "/products", label: t`Products` }}
    >
      <Form {...form}>
        <Stack sx={{ gap: 2.5, maxWidth: 760 }}>
          <Section title={t`Product`}>
            <Stack sx={{ gap: 2 }}>
              <FormField
                name="name"
                label={t`Name`}
                required
                autoFocus
                slotProps={{ htmlInput: { maxLength: 200, dir: "auto" } }}
                value={draft.name}
                onValue={(name) => {
                  set({ name });
                }}
                helperText={t`Shown to customers in the portal. You can change it later.`}
              />
              <FormField
                name="description"
                label={t`Description`}
                multiline
                minRows={2}
                slotProps={{ htmlInput: { maxLength: 20_000, dir: "auto" } }}
                value={draft.description}
                onValue={(description) => {
                  set({ description });
                }}
              />
              <ImagePicker
                label={t`Choose image`}
                seenBy={t`Visible to anyone who knows the product ID.`}
                preview={draft.image?.address ?? null}
                onPick={(image) => {
                  set({ image });
                }}
              >
                {draft.image && (
                  <Button
                    onClick={() => {
                      set({ image: null });
                    }}
                  >
                    {t`Remove`}
                  </Button>
                )}
              </ImagePicker>
            </Stack>
          </Section>
          <Section
            title={t`First release`}
            subtitle={t`It is published immediately. You can add files later.`}
            help="releases"
          >
            <Stack direction={{ xs: "column", sm: "row" }} sx={{ gap: 2 }}>
              <FormField
                name="initialVersion"
                label={t`Version`}
                required
                slotProps={{ htmlInput: { maxLength: 100 } }}
                value={draft.initialVersion}
                onValue={(initialVersion) => {
                  set({ initialVersion });
                }}
                helperText={t`For example 1.0.0. A license for 1.x does not include 2.0.`}
              />
              <ChannelField
                name="releaseChannel"
                value={draft.releaseChannel}
                onValue={(releaseChannel) => {
                  set({ releaseChannel });
                }}
              />
            </Stack>
          </Section>
          <Section title={t`Access`}>
            <AccessFields
              accessType={draft.accessType}
              onChange={(accessType) => {
                set({ accessType });
              }}
            />
          </Section>
          <Section
            title={t`RSA keys`}
            subtitle={t`The private key signs licenses and never leaves the service. Your application verifies them with the public key.`}
            help="rsa-keys"
          >
            <KeysChoice
              keySize={draft.keySize}
              onChange={(keySize) => {
                set({ keySize });
              }}
            />
          </Section>
          <FormProblem />
          <Stack direction="row" sx={{ gap: 1, justifyContent: "flex-end" }}>
            <Button component={Link} to="/products">
              {t`Cancel`}
            </Button>
            <SubmitButton>{t`Create product`}</SubmitButton>
          </Stack>
        </Stack>
      </Form>
    </Page>
  );
}
