import { api } from "../../api/client";
import type { KeySize } from "./KeySizeField";

/** Gives the product an RSA key pair, in the place of the one before. */
export const generateKeys = (productId: string, keySize: KeySize) =>
  api.POST("/api/products/{productId}/keys/generate", {
    params: { path: { productId } },
    body: { keySize },
  });
