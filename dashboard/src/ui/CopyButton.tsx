import { t } from "@lingui/core/macro";
import IconButton from "@mui/material/IconButton";
import Tooltip from "@mui/material/Tooltip";
import { useEffect, useState, type ReactNode } from "react";
import { toClipboard } from "./clipboard";
import { CheckIcon, CopyIcon } from "./icons";

interface Copying {
  /** Whether it was copied in the last two seconds. */
  copied: boolean;
  copy: () => void;
}

/** Copies a value to the clipboard. */
export function useCopy(value: string): Copying {
  const [copied, setCopied] = useState(false);
  useEffect(() => {
    if (!copied) return;
    const timer = setTimeout(() => setCopied(false), 2_000);
    return () => clearTimeout(timer);
  }, [copied]);
  const write = async () => {
    await toClipboard(value);
    setCopied(true);
  };
  return { copied, copy: () => void write() };
}

interface CopyButtonProps {
  value: string;
  /** Accessible name: "Copy license key". */
  label: string;
  icon?: ReactNode;
  /** Whether its dialog begins here. */
  autoFocus?: boolean;
}

/** A button that copies a value. */
export function CopyButton({
  value,
  label,
  icon = <CopyIcon />,
  autoFocus = false,
}: CopyButtonProps) {
  const { copied, copy } = useCopy(value);
  return (
    <Tooltip title={copied ? t`Copied` : label}>
      <IconButton size="small" aria-label={label} autoFocus={autoFocus} onClick={copy}>
        {copied ? <CheckIcon color="var(--good)" /> : icon}
      </IconButton>
    </Tooltip>
  );
}
