import { t } from "@lingui/core/macro";
import Button from "@mui/material/Button";
import IconButton from "@mui/material/IconButton";
import { useEffect, useState, useSyncExternalStore } from "react";
import { asProblem } from "../../api/problem";
import { CloseIcon, DoneIcon, FailedIcon, InfoIcon, WarningIcon } from "../icons";
import { currentToasts, dismiss, notify, onToasts, type Kind, type Toast } from "./toasts";
import styles from "./toasts.module.css";

const ICONS = { info: InfoIcon, success: DoneIcon, warning: WarningIcon, error: FailedIcon };
/** What failed, and what can be undone, stays long enough to be read and decided on. */
const LASTS_MS: Record<Kind, number> = {
  info: 5_000,
  success: 5_000,
  warning: 8_000,
  error: 10_000,
};
const UNDO_MS = 12_000;

/** The toasts at the lower edge of the window. They stay while they are pointed at or focused. */
export function Toasts() {
  const toasts = useSyncExternalStore(onToasts, currentToasts);
  return (
    <div className={styles.stack} aria-live="polite" aria-relevant="additions">
      {toasts.map((toast) => (
        <ToastItem key={toast.id} toast={toast} />
      ))}
    </div>
  );
}

function ToastItem({ toast }: { toast: Toast }) {
  const { id, text, kind, undo, stays } = toast;
  const [isHeld, setHeld] = useState(false);
  const [busy, setBusy] = useState(false);
  useEffect(() => {
    if (isHeld || busy || stays) return;
    const timer = setTimeout(dismiss, undo ? UNDO_MS : LASTS_MS[kind], id);
    return () => clearTimeout(timer);
  }, [id, kind, undo, stays, isHeld, busy]);
  const takeBack = async () => {
    setBusy(true);
    try {
      await undo?.();
      dismiss(id);
    } catch (error) {
      dismiss(id);
      notify(asProblem(error).message, { type: "error" });
    }
  };
  const Icon = ICONS[kind];
  const hold = () => setHeld(true);
  const release = () => setHeld(false);
  return (
    <div
      className={styles.toast}
      data-kind={kind}
      {...(kind === "error" && { role: "alert" })}
      onMouseEnter={hold}
      onMouseLeave={release}
      onFocus={hold}
      onBlur={release}
    >
      <Icon aria-hidden />
      <span className={styles.text}>{text}</span>
      {undo && (
        <Button data-hotkey="z" size="small" loading={busy} onClick={() => void takeBack()}>
          {t`Undo`}
        </Button>
      )}
      <IconButton size="small" aria-label={t`Dismiss`} onClick={() => dismiss(id)}>
        <CloseIcon />
      </IconButton>
    </div>
  );
}
