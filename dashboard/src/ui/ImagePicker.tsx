import { t } from "@lingui/core/macro";
import Alert from "@mui/material/Alert";
import Avatar from "@mui/material/Avatar";
import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import Stack from "@mui/material/Stack";
import Typography from "@mui/material/Typography";
import { useRef, useState, type ReactNode } from "react";
import { UploadIcon } from "./icons";
import { bytes } from "./formats";
import { IMAGE_MAX_BYTES, IMAGE_TYPES, readImage, type PickedImage } from "./image";

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
    <Stack direction="row" sx={{ gap: 2, alignItems: "center" }}>
      <Avatar
        variant="rounded"
        src={preview ?? undefined}
        alt=""
        slotProps={{ img: { style: { objectFit: "contain" } } }}
        sx={{ width: 72, height: 72, bgcolor: "action.hover", color: "text.secondary" }}
      >
        <UploadIcon aria-hidden />
      </Avatar>
      <Box sx={{ minWidth: 0 }}>
        <Stack direction="row" sx={{ gap: 1, flexWrap: "wrap" }}>
          <Button
            variant="outlined"
            onClick={() => {
              input.current?.click();
            }}
          >
            {label}
          </Button>
          {children}
        </Stack>
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
        <Typography variant="caption" color="textSecondary" component="p" sx={{ mt: 0.5 }}>
          {t`PNG, JPEG or WebP, up to ${{ limit: bytes(IMAGE_MAX_BYTES) }}.`} {seenBy}
        </Typography>
        {breach && <Alert severity="error">{breach}</Alert>}
      </Box>
    </Stack>
  );
}
