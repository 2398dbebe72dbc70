import CheckIcon from "@mui/icons-material/Check";
import CopyIcon from "@mui/icons-material/ContentCopy";
import IconButton from "@mui/material/IconButton";
import Tooltip from "@mui/material/Tooltip";
import { useEffect, useState, type ReactNode } from "react";

/** To the clipboard; a page that came over plain http is not given the clipboard's own interface. */
async function toClipboard(value: string) {
  if (window.isSecureContext) {
    await navigator.clipboard.writeText(value);
    return;
  }
  const onCopy = (event: ClipboardEvent) => {
    event.clipboardData?.setData("text/plain", value);
    event.preventDefault();
  };
  document.addEventListener("copy", onCopy);
  document.execCommand("copy");
  document.removeEventListener("copy", onCopy);
}

interface CopyButtonProps {
  value: string;
  /** Says what: "Copy license key". */
  label: string;
  icon?: ReactNode;
}

/** Copies a value. */
export function CopyButton({
  value,
  label,
  icon = <CopyIcon fontSize="small" />,
}: CopyButtonProps) {
  const [copied, setCopied] = useState(false);
  useEffect(() => {
    if (!copied) return;
    const timer = setTimeout(() => {
      setCopied(false);
    }, 2_000);
    return () => {
      clearTimeout(timer);
    };
  }, [copied]);
  const copy = async () => {
    await toClipboard(value);
    setCopied(true);
  };
  return (
    <Tooltip title={copied ? "Copied" : label}>
      <IconButton size="small" aria-label={label} onClick={() => void copy()}>
        {copied ? <CheckIcon fontSize="small" color="success" /> : icon}
      </IconButton>
    </Tooltip>
  );
}
