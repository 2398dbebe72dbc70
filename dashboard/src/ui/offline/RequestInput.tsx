import { t } from "@lingui/core/macro";
import Alert from "@mui/material/Alert";
import Button from "@mui/material/Button";
import TextField from "@mui/material/TextField";
import { Suspense, useRef, useState } from "react";
import { ScanIcon, UploadIcon } from "../icons";
import { Column, Row } from "../layout/layout";
import { lazy } from "../lazy";
import { Loading } from "../Loading";
import { Muted } from "../Muted";
import { useDropTarget } from "../useDropTarget";
import styles from "./offline.module.css";
import { type Readable, readRequest } from "./requests";

const Camera = lazy(() => import("./Camera"));

/** What a file may have: a request, or a picture of its QR code. */
const ACCEPTED = ".licetreq,text/plain,image/*";
/** Larger files are neither. */
const MAX_BYTES = 20_000_000;

async function textOf(file: File): Promise<string | null> {
  if (file.size > MAX_BYTES) return null;
  if (!file.type.startsWith("image/")) return await file.text();
  const { readImageFile } = await import("./pictures");
  return await readImageFile(file);
}

interface RequestInputProps {
  /** What is wrong with what was brought along. */
  fault?: string | null;
  onRequest: (request: Readable) => void;
}

/** Takes a request as a file, text or QR code, and a release code that is typed. */
export function RequestInput({ fault: brought = null, onRequest }: RequestInputProps) {
  const input = useRef<HTMLInputElement>(null);
  const [fault, setFault] = useState(brought);
  const [typed, setTyped] = useState("");
  const [isScanning, setScanning] = useState(false);
  const take = (text: string | null) => {
    const read =
      text === null
        ? { fault: t`The picture shows no QR code, or not clearly enough.` }
        : readRequest(text);
    if ("fault" in read) setFault(read.fault);
    else onRequest(read);
  };
  const takeFile = (file: File | undefined) => {
    setFault(null);
    if (file) textOf(file).then(take, () => setFault(t`The file cannot be read.`));
  };
  const target = useDropTarget((dropped) => {
    if (dropped.files.length > 0) takeFile(dropped.files[0]);
    else take(dropped.getData("text"));
  });
  return (
    <Column gap="l">
      <div className={styles.drop} {...target}>
        <Row gap="s" wraps>
          <Button
            variant="contained"
            startIcon={<UploadIcon />}
            onClick={() => input.current?.click()}
          >
            {t`Choose file`}
          </Button>
          <Button
            variant="outlined"
            startIcon={<ScanIcon />}
            disabled={isScanning}
            onClick={() => {
              setFault(null);
              setScanning(true);
            }}
          >
            {t`Scan QR code`}
          </Button>
        </Row>
        <Muted>{t`You can also drop the .licetreq file here, or a picture of the QR code.`}</Muted>
        <input
          ref={input}
          type="file"
          hidden
          aria-label={t`Choose file`}
          accept={ACCEPTED}
          onChange={(event) => {
            takeFile(event.target.files?.[0]);
            event.target.value = "";
          }}
        />
      </div>
      {isScanning && (
        <Suspense fallback={<Loading />}>
          <Camera
            onFound={(text) => {
              setScanning(false);
              take(text);
            }}
            onClose={() => setScanning(false)}
          />
        </Suspense>
      )}
      {fault !== null && <Alert severity="error">{fault}</Alert>}
      <Column
        as="form"
        gap="s"
        align="start"
        onSubmit={(event) => {
          event.preventDefault();
          setFault(null);
          take(typed);
        }}
      >
        <TextField
          label={t`Request or release code`}
          value={typed}
          onChange={(event) => setTyped(event.target.value)}
          helperText={t`Paste the text of the request, or type the release code.`}
          multiline
          minRows={2}
          maxRows={6}
          fullWidth
          autoComplete="off"
          slotProps={{ htmlInput: { spellCheck: false, className: styles.typed } }}
        />
        <Button type="submit" variant="outlined" disabled={typed.trim() === ""}>
          {t`Continue`}
        </Button>
      </Column>
    </Column>
  );
}
