import { t } from "@lingui/core/macro";
import Button from "@mui/material/Button";
import type { FieldProps } from "../../ui/form/useApiForm";
import { useField } from "../../ui/form/useField";
import { ImagePicker } from "../../ui/ImagePicker";
import type { ProductDraft } from "./draft";

/** The image that the product gets once it is there. */
export function ImageField(field: FieldProps<ProductDraft, "image">) {
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
