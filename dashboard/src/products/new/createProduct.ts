import { api } from "../../api/client";
import { asProblem } from "../../api/problem";
import type { Product } from "../../api/types";
import { generateKeys } from "../parts/generateKeys";
import { putImage } from "../parts/image";
import type { ProductDraft } from "./draft";

interface Created {
  product: Product;
  /** What did not come about beside the product, in the server's words. */
  shortcomings: string[];
}

const tried = async (step: Promise<unknown>, what: string): Promise<string[]> => {
  try {
    await step;
    return [];
  } catch (refusal) {
    return [`${what}: ${asProblem(refusal).detail}`];
  }
};

/** Makes the product with its first release, then gives it its keys and its image. */
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
      description: draft.description.trim() || null,
      ...draft.access,
    },
  });
  if (!product) throw new Error("The server told nothing of the product that it made.");
  // The product stands from here on: what fails now is told, and can be done again on its page.
  const { keySize, image } = draft;
  const shortcomings = [
    ...(keySize ? await tried(generateKeys(product.id, keySize), "No RSA keys were made") : []),
    ...(image ? await tried(putImage(product.id, image.file), "The image was not kept") : []),
  ];
  return { product, shortcomings };
}
