import type { AccessType } from "../parts/AccessFields";
import type { PickedImage } from "../../ui/image";
import { USUAL_KEY_SIZE, type KeySize } from "../parts/KeySizeField";

export interface ProductDraft {
  name: string;
  description: string;
  image: PickedImage | null;
  initialVersion: string;
  releaseChannel: string;
  accessType: AccessType;
  /** Null to generate no keys yet. */
  keySize: KeySize | null;
}

export const NEW_PRODUCT: ProductDraft = {
  name: "",
  description: "",
  image: null,
  initialVersion: "1.0.0",
  releaseChannel: "Stable",
  accessType: "Opened",
  keySize: USUAL_KEY_SIZE,
};
