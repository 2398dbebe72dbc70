import { t } from "@lingui/core/macro";
import Button from "@mui/material/Button";
import { useState } from "react";
import { request } from "../../api/client";
import { ConfirmDialog } from "../../ui/ConfirmDialog";
import { useNotifyChanged } from "../../ui/useNotifyChanged";

interface ResetEmailProps {
  /** The template. */
  path: string;
  label: string;
}

/** Deletes a template, so that the one of the institution or the built-in one is used again. */
export function ResetEmail({ path, label }: ResetEmailProps) {
  const [isAsking, setIsAsking] = useState(false);
  const notifyChanged = useNotifyChanged();
  return (
    <>
      <Button aria-label={t`Reset ${label}`} onClick={() => setIsAsking(true)}>
        {t`Reset`}
      </Button>
      {isAsking && (
        <ConfirmDialog
          title={t`Reset email`}
          action={t`Reset email`}
          danger
          consequence={t`Your text is deleted in all languages, with its sender, and this cannot be undone. The standard text is used from now on.`}
          onConfirm={async () => {
            await request("DELETE", path);
            notifyChanged(t`${label}: reset.`);
          }}
          onClose={() => setIsAsking(false)}
        />
      )}
    </>
  );
}
