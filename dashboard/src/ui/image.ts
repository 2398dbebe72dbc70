import { authorized } from "../api/client";
import { problemOf } from "../api/problem";

export const IMAGE_TYPES = ["image/png", "image/jpeg", "image/webp"];
export const IMAGE_MAX_BYTES = 2_000_000;

/** An image file chosen by the user, with a data URL for the preview. */
export interface PickedImage {
  file: File;
  address: string;
}

export const readImage = (file: File): Promise<PickedImage> =>
  new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve({ file, address: String(reader.result) });
    reader.onerror = () => reject(new Error("The image could not be read."));
    reader.readAsDataURL(file);
  });

/** Uploads an image, replacing the one that is there. Throws a `Problem` on failure. */
export async function putImage(path: string, image: File): Promise<void> {
  const response = await authorized(
    new Request(new URL(path, location.origin), {
      method: "PUT",
      headers: { "content-type": image.type },
      body: image,
    }),
  );
  if (!response.ok) throw await problemOf(response);
}
