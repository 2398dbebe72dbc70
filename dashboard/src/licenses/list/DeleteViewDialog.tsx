import { t } from "@lingui/core/macro";
import { ConfirmDialog } from "../../ui/ConfirmDialog";
import type { KeptView } from "./useLicenseList";

interface DeleteViewDialogProps {
  view: KeptView;
  onConfirm: () => Promise<unknown>;
  onClose: () => void;
}

export default function DeleteViewDialog({ view, onConfirm, onClose }: DeleteViewDialogProps) {
  return (
    <ConfirmDialog
      title={t`Delete the view ${{ view: view.label }}?`}
      consequence={
        view.isShared
          ? t`The view is deleted for everyone in the institution. Your licenses are not affected.`
          : t`Your licenses are not affected.`
      }
      action={t`Delete view`}
      onConfirm={onConfirm}
      onClose={onClose}
    />
  );
}
