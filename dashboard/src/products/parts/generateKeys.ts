import { api } from "../../api/client";
import type { KeySize } from "./KeySizeField";

/** Generates an RSA key pair for the product, replacing any previous one. */
export const generateKeys = (productId: string, keySize: KeySize) =>
  api.POST("/api/products/{productId}/keys/generate", {
    params: { path: { productId } },
    body: { keySize },
  });
