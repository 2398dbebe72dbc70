import { t } from "@lingui/core/macro";
import Button from "@mui/material/Button";
import { useState } from "react";
import { api } from "../../api/client";
import { asProblem } from "../../api/problem";
import type { Product } from "../../api/types";
import { FormField } from "../../ui/form/FormField";
import type { ApiForm } from "../../ui/form/useApiForm";
import { Column } from "../../ui/layout/layout";
import { Section } from "../../ui/Section";
import { putImage } from "../../ui/image";
import { ImagePicker } from "../../ui/ImagePicker";
import { useNotifyChanged } from "../../ui/useNotifyChanged";
import type { SettingsDraft } from "./draft";
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
      onPick={({ file }) =>
        void change(() => putImage(`/api/products/${product.id}/image`, file), t`Image updated.`)
      }
    >
      {product.imageUrl && (
        <Button loading={isBusy} onClick={() => void change(remove, t`Image removed.`)}>
          {t`Remove image`}
        </Button>
      )}
    </ImagePicker>
  );
}

interface GeneralSectionProps {
  product: Product;
  form: ApiForm<SettingsDraft>;
}

export const GeneralSection = ({ product, form: { field } }: GeneralSectionProps) => (
  <Section title={t`Product`}>
    <Column gap="l">
      <FormField {...field("name")} label={t`Name`} input={{ dir: "auto" }} />
      <FormField
        {...field("description")}
        label={t`Description`}
        multiline
        minRows={2}
        maxRows={10}
        input={{ dir: "auto" }}
      />
      <ProductImage product={product} />
    </Column>
  </Section>
);
