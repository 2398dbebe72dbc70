import { t } from "@lingui/core/macro";
import Autocomplete from "@mui/material/Autocomplete";
import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import Stack from "@mui/material/Stack";
import TextField from "@mui/material/TextField";
import Typography from "@mui/material/Typography";
import { useRef, useState, type DragEvent } from "react";
import { UploadIcon } from "../../ui/icons";

const PLATFORMS = [
  "windows-x64",
  "windows-arm64",
  "macos-arm64",
  "macos-x64",
  "linux-x64",
  "linux-arm64",
];

/** Drop zone and file picker for uploads, with the platform of the files. */
export function UploadArea({ onFiles }: { onFiles: (files: File[], platform: string) => void }) {
  const input = useRef<HTMLInputElement>(null);
  const [platform, setPlatform] = useState("");
  const [isOver, setOver] = useState(false);
  const take = (files: FileList | null) => {
    if (files?.length) onFiles([...files], platform.trim());
  };
  const drop = (event: DragEvent) => {
    event.preventDefault();
    setOver(false);
    take(event.dataTransfer.files);
  };
  return (
    <Stack sx={{ gap: 2 }}>
      <Autocomplete
        freeSolo
        options={PLATFORMS}
        inputValue={platform}
        onInputChange={(_, value) => {
          setPlatform(value);
        }}
        sx={{ maxWidth: 420 }}
        renderInput={(props) => (
          <TextField
            {...props}
            label={t`Platform`}
            helperText={t`For the files you add next. Leave empty for all platforms.`}
          />
        )}
      />
      <Box
        onDragOver={(event) => {
          event.preventDefault();
          setOver(true);
        }}
        onDragLeave={() => {
          setOver(false);
        }}
        onDrop={drop}
        sx={{
          border: "2px dashed",
          borderColor: isOver ? "primary.main" : "divider",
          bgcolor: isOver ? "action.hover" : "transparent",
          borderRadius: 2,
          p: 3,
          textAlign: "center",
        }}
      >
        <Typography sx={{ mb: 1 }}>{t`Drop files here, or`}</Typography>
        <Button
          variant="outlined"
          startIcon={<UploadIcon />}
          onClick={() => {
            input.current?.click();
          }}
        >
          {t`Choose files`}
        </Button>
        <input
          ref={input}
          type="file"
          multiple
          hidden
          aria-label={t`Choose files`}
          onChange={(event) => {
            take(event.target.files);
            event.target.value = "";
          }}
        />
        <Typography variant="body2" color="textSecondary" sx={{ mt: 1 }}>
          {t`Uploads start immediately, one at a time. The server computes the SHA-256 of each file.`}
        </Typography>
      </Box>
    </Stack>
  );
}
