import { t } from "@lingui/core/macro";
import { api } from "../../api/client";
import { asProblem } from "../../api/problem";
import { textOrNull } from "../../api/fields";
import type { Product } from "../../api/types";
import { type PickedImage, putImage } from "../../ui/ImagePicker";
import { type AccessType, generateKeys, USUAL_KEY_SIZE } from "../parts/fields";

export const NEW_PRODUCT = {
  name: "",
  description: "",
  image: null as PickedImage | null,
  initialVersion: "1.0.0",
  releaseChannel: "Stable",
  accessType: "Opened" as AccessType,
  isTest: false,
  /** Whether to generate keys now. */
  hasKeys: true,
  keySize: USUAL_KEY_SIZE,
};

export type ProductDraft = typeof NEW_PRODUCT;

interface Created {
  product: Product;
  /** Error messages of the steps that failed after the product was created. */
  warnings: string[];
}

const attempt = async (
  step: Promise<unknown>,
  warningOf: (detail: string) => string,
): Promise<string[]> => {
  try {
    await step;
    return [];
  } catch (error) {
    return [warningOf(asProblem(error).detail)];
  }
};

/** Creates the product with its first release, then generates its keys and uploads its image. */
export async function createProduct(
  institutionId: string | undefined,
  draft: ProductDraft,
): Promise<Created> {
  const { data: product } = await api.POST("/api/products", {
    body: {
      ...(institutionId && { institutionId }),
      name: draft.name.trim(),
      initialVersion: draft.initialVersion.trim(),
      releaseChannel: draft.releaseChannel.trim(),
      description: textOrNull(draft.description),
      accessType: draft.accessType,
      mode: draft.isTest ? "Test" : "Live",
    },
  });
  if (!product) throw new Error(t`The server returned no product.`);
  // The product exists now. Failures from here on are reported and can be retried on its page.
  const { hasKeys, keySize, image } = draft;
  const warnings = [
    ...(hasKeys
      ? await attempt(
          generateKeys(product.id, keySize),
          (detail) => t`RSA keys were not generated: ${detail}`,
        )
      : []),
    ...(image
      ? await attempt(
          putImage(`/api/products/${product.id}/image`, image.file),
          (detail) => t`The image was not uploaded: ${detail}`,
        )
      : []),
  ];
  return { product, warnings };
}
