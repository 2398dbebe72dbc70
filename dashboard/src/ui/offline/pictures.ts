import { decodeQR } from "qr/decode.js";

/** How long one look may take, in milliseconds. */
const LOOK_MS = 200;

/** Returns the text of the QR code in a picture; null if none is seen. */
export function readPicture(
  picture: CanvasImageSource,
  width: number,
  height: number,
): string | null {
  const canvas = new OffscreenCanvas(Math.max(width, 1), Math.max(height, 1));
  const context = canvas.getContext("2d", { willReadFrequently: true });
  context?.drawImage(picture, 0, 0);
  const pixels = context?.getImageData(0, 0, canvas.width, canvas.height);
  try {
    return pixels ? decodeQR(pixels, { timeLimit: LOOK_MS, format: "RGBA" }) : null;
  } catch {
    // It throws for each picture without a code.
    return null;
  }
}

/** Returns the text of the QR code in an image file; null if none is seen. */
export async function readImageFile(file: Blob): Promise<string | null> {
  const picture = await createImageBitmap(file).catch(() => null);
  if (picture === null) return null;
  const text = readPicture(picture, picture.width, picture.height);
  picture.close();
  return text;
}
