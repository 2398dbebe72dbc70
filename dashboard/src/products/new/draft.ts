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
  /** Whether to generate keys now. */
  hasKeys: boolean;
  keySize: KeySize;
}

export const NEW_PRODUCT: ProductDraft = {
  name: "",
  description: "",
  image: null,
  initialVersion: "1.0.0",
  releaseChannel: "Stable",
  accessType: "Opened",
  hasKeys: true,
  keySize: USUAL_KEY_SIZE,
};
