import { t } from "@lingui/core/macro";
import Alert from "@mui/material/Alert";
import Button from "@mui/material/Button";
import { useEffect, useRef, useState } from "react";
import { Column } from "../layout/layout";
import { Muted } from "../Muted";
import styles from "./offline.module.css";
import { readPicture } from "./pictures";

interface CameraProps {
  /** Called with the text of the first code that is seen. */
  onFound: (text: string) => void;
  onClose: () => void;
}

/** Between two looks, so that a phone stays cool. */
const PAUSE_MS = 120;

const FAULTS: Record<string, string> = {
  NotAllowedError: t`Access to the camera is blocked. Allow it in your browser, or choose a file.`,
  NotFoundError: t`This device has no camera. Choose a file, or paste the text.`,
  NotReadableError: t`Another application is using the camera. Close it and try again.`,
};

function faultOf(error: unknown): string {
  if (!window.isSecureContext)
    return t`Browsers allow the camera only on HTTPS addresses. Choose a file, or paste the text.`;
  const name = error instanceof DOMException ? error.name : "";
  return FAULTS[name] ?? t`The camera does not work here. Choose a file, or paste the text.`;
}

/** Starts the camera that looks away from the user, and shows its picture. */
async function start(video: HTMLVideoElement): Promise<MediaStream> {
  const stream = await navigator.mediaDevices.getUserMedia({
    video: { facingMode: "environment", width: { ideal: 1920 }, height: { ideal: 1080 } },
  });
  video.srcObject = stream;
  await video.play();
  return stream;
}

const stop = (stream: MediaStream) => stream.getTracks().forEach((track) => track.stop());

/** Looks for a QR code with the camera. No picture leaves the page. */
export default function Camera({ onFound, onClose }: CameraProps) {
  const video = useRef<HTMLVideoElement>(null);
  const found = useRef(onFound);
  const [fault, setFault] = useState<string | null>(null);
  useEffect(() => {
    found.current = onFound;
  }, [onFound]);
  useEffect(() => {
    const shown = video.current;
    if (!shown) return;
    let isOver = false;
    let timer = 0;
    const look = () => {
      if (isOver) return;
      const text = readPicture(shown, shown.videoWidth, shown.videoHeight);
      if (text === null) timer = window.setTimeout(look, PAUSE_MS);
      else found.current(text);
    };
    const stream = start(shown);
    stream.then(look).catch((error: unknown) => !isOver && setFault(faultOf(error)));
    return () => {
      isOver = true;
      window.clearTimeout(timer);
      stream.then(stop).catch(() => undefined);
    };
  }, []);
  return (
    <Column gap="s" align="start">
      {fault === null ? (
        <>
          <video ref={video} muted playsInline aria-label={t`Camera`} className={styles.video} />
          <Muted>{t`Hold the QR code of the machine in front of the camera. The picture stays on this device.`}</Muted>
        </>
      ) : (
        <Alert severity="warning">{fault}</Alert>
      )}
      <Button onClick={onClose}>{t`Close camera`}</Button>
    </Column>
  );
}
