import { t } from "@lingui/core/macro";
import Autocomplete from "@mui/material/Autocomplete";
import Button from "@mui/material/Button";
import TextField from "@mui/material/TextField";
import Typography from "@mui/material/Typography";
import { useRef, useState, type DragEvent } from "react";
import { UploadIcon } from "../../ui/icons";
import { Column } from "../../ui/layout/layout";
import styles from "./releases.module.css";

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
    <Column gap="l">
      <Autocomplete
        freeSolo
        options={PLATFORMS}
        inputValue={platform}
        onInputChange={(_, value) => setPlatform(value)}
        className={styles.platform}
        renderInput={(props) => (
          <TextField
            {...props}
            label={t`Platform`}
            helperText={t`For the files you add next. Leave empty for all platforms.`}
          />
        )}
      />
      <div
        className={styles.area}
        data-over={isOver || undefined}
        onDragOver={(event) => {
          event.preventDefault();
          setOver(true);
        }}
        onDragLeave={() => setOver(false)}
        onDrop={drop}
      >
        <Typography>{t`Drop files here, or`}</Typography>
        <Button
          variant="outlined"
          startIcon={<UploadIcon />}
          onClick={() => input.current?.click()}
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
        <Typography variant="body2" color="textSecondary">
          {t`Uploads start immediately, one at a time. The server computes the SHA-256 of each file.`}
        </Typography>
      </div>
    </Column>
  );
}
