import { t } from "@lingui/core/macro";
import Alert from "@mui/material/Alert";
import Avatar from "@mui/material/Avatar";
import Button from "@mui/material/Button";
import Typography from "@mui/material/Typography";
import { type ReactNode, useRef, useState } from "react";
import { authorized } from "../api/client";
import { problemOf } from "../api/problem";
import { bytes } from "./formats";
import { UploadIcon } from "./icons";
import styles from "./imagePicker.module.css";
import { Row } from "./layout/layout";
import { serviceUrl } from "../api/address";

const IMAGE_TYPES = ["image/png", "image/jpeg", "image/webp"];
const IMAGE_MAX_BYTES = 2_000_000;

/** An image file chosen by the user, with a data URL for the preview. */
export interface PickedImage {
  file: File;
  address: string;
}

const readImage = (file: File): Promise<PickedImage> =>
  new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve({ file, address: String(reader.result) });
    reader.onerror = () => reject(new Error("The image could not be read."));
    reader.readAsDataURL(file);
  });

/** Uploads an image, replacing the one that is there. Throws a `Problem` on failure. */
export async function putImage(path: string, image: File): Promise<void> {
  const response = await authorized(
    new Request(serviceUrl(path), {
      method: "PUT",
      headers: { "content-type": image.type },
      body: image,
    }),
  );
  if (!response.ok) throw await problemOf(response);
}

interface ImagePickerProps {
  /** URL of the current image; null for none. */
  preview: string | null;
  label: string;
  /** Who sees the image. */
  seenBy: string;
  onPick: (image: PickedImage) => void;
  /** Shown next to the button, for example a button to remove the image. */
  children?: ReactNode;
}

const imageError = (image: File): string | null => {
  if (!IMAGE_TYPES.includes(image.type)) return t`Choose a PNG, JPEG or WebP image.`;
  if (image.size > IMAGE_MAX_BYTES)
    return t`The image is too large (${{ size: bytes(image.size) }}). Choose one of at most ${{ limit: bytes(IMAGE_MAX_BYTES) }}.`;
  return null;
};

/** Lets the user choose an image file and previews it. */
export function ImagePicker({ preview, label, seenBy, onPick, children }: ImagePickerProps) {
  const input = useRef<HTMLInputElement>(null);
  const [breach, setBreach] = useState<string | null>(null);
  const pick = (image: File | undefined) => {
    if (!image) return;
    const found = imageError(image);
    setBreach(found);
    if (found === null) void readImage(image).then(onPick);
  };
  return (
    <Row gap="l">
      <Avatar variant="rounded" src={preview ?? undefined} alt="" className={styles.image}>
        <UploadIcon aria-hidden />
      </Avatar>
      <div className={styles.choice}>
        <Row gap="s" align="stretch" wraps>
          <Button variant="outlined" onClick={() => input.current?.click()}>
            {label}
          </Button>
          {children}
        </Row>
        <input
          ref={input}
          type="file"
          hidden
          aria-label={label}
          accept={IMAGE_TYPES.join(",")}
          onChange={(event) => {
            pick(event.target.files?.[0]);
            event.target.value = "";
          }}
        />
        <Typography variant="caption" color="textSecondary" component="p" className={styles.limits}>
          {t`PNG, JPEG or WebP, up to ${{ limit: bytes(IMAGE_MAX_BYTES) }}.`} {seenBy}
        </Typography>
        {breach && <Alert severity="error">{breach}</Alert>}
      </div>
    </Row>
  );
}
