import { t } from "@lingui/core/macro";
import IconButton from "@mui/material/IconButton";
import Tooltip from "@mui/material/Tooltip";
import { useEffect, useState, type ReactNode } from "react";
import { toClipboard } from "./clipboard";
import { CheckIcon, CopyIcon } from "./icons";

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
  const [copied, setCopied] = useState(false);
  useEffect(() => {
    if (!copied) return;
    const timer = setTimeout(() => setCopied(false), 2_000);
    return () => clearTimeout(timer);
  }, [copied]);
  const copy = async () => {
    await toClipboard(value);
    setCopied(true);
  };
  return (
    <Tooltip title={copied ? t`Copied` : label}>
      <IconButton size="small" aria-label={label} autoFocus={autoFocus} onClick={() => void copy()}>
        {copied ? <CheckIcon color="var(--good)" /> : icon}
      </IconButton>
    </Tooltip>
  );
}
