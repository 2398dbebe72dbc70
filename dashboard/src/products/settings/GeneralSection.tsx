import { t } from "@lingui/core/macro";
import Button from "@mui/material/Button";
import Stack from "@mui/material/Stack";
import { useState } from "react";
import { api } from "../../api/client";
import { asProblem } from "../../api/problem";
import type { Product } from "../../api/types";
import { FormField } from "../../ui/Form";
import { Section } from "../../ui/Section";
import { putImage } from "../../ui/image";
import { ImagePicker } from "../../ui/ImagePicker";
import { useNotifyChanged } from "../../ui/useNotifyChanged";
import type { SetDraft, SettingsDraft } from "./draft";
import { notify } from "../../ui/toasts/toasts";

/** The product image, which is saved as soon as it is chosen. */
function ProductImage({ product }: { product: Product }) {
  const [isBusy, setBusy] = useState(false);
  const notifyChanged = useNotifyChanged();
  const change = async (step: () => Promise<unknown>, sentence: string) => {
    setBusy(true);
    try {
      await step();
      notifyChanged(sentence);
    } catch (error) {
      notify(asProblem(error).message, { type: "error" });
    } finally {
      setBusy(false);
    }
  };
  const remove = () =>
    api.DELETE("/api/products/{productId}/image", { params: { path: { productId: product.id } } });
  return (
    <ImagePicker
      label={product.imageUrl ? t`Replace image` : t`Upload image`}
      seenBy={t`Visible to anyone who knows the product ID.`}
      preview={product.imageUrl}
      onPick={({ file }) => {
        void change(() => putImage(`/api/products/${product.id}/image`, file), t`Image updated.`);
      }}
    >
      {product.imageUrl && (
        <Button
          loading={isBusy}
          onClick={() => {
            void change(remove, t`Image removed.`);
          }}
        >
          {t`Remove image`}
        </Button>
      )}
    </ImagePicker>
  );
}

interface GeneralSectionProps {
  product: Product;
  draft: SettingsDraft;
  set: SetDraft;
}

export const GeneralSection = ({ product, draft, set }: GeneralSectionProps) => (
  <Section title={t`Product`}>
    <Stack sx={{ gap: 2 }}>
      <FormField
        name="name"
        label={t`Name`}
        required
        slotProps={{ htmlInput: { maxLength: 200, dir: "auto" } }}
        value={draft.name}
        onValue={(name) => {
          set({ name });
        }}
      />
      <FormField
        name="description"
        label={t`Description`}
        multiline
        minRows={2}
        maxRows={10}
        slotProps={{ htmlInput: { maxLength: 20_000, dir: "auto" } }}
        value={draft.description}
        onValue={(description) => {
          set({ description });
        }}
      />
      <ProductImage product={product} />
    </Stack>
  </Section>
);
