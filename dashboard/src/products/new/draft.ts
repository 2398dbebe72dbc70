import type { Access } from "../parts/AccessFields";
import type { PickedImage } from "../parts/image";
import { USUAL_KEY_SIZE, type KeySize } from "../parts/KeySizeField";

export interface ProductDraft {
  name: string;
  description: string;
  image: PickedImage | null;
  initialVersion: string;
  releaseChannel: string;
  access: Access;
  /** Null to generate no keys yet. */
  keySize: KeySize | null;
}

export const NEW_PRODUCT: ProductDraft = {
  name: "",
  description: "",
  image: null,
  initialVersion: "1.0.0",
  releaseChannel: "Stable",
  access: { accessType: "Opened", associatedInstitutionIds: [] },
  keySize: USUAL_KEY_SIZE,
};
