import { t } from "@lingui/core/macro";
import { ConfirmDialog } from "../../ConfirmDialog";
import type { KeptView } from "./view";

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
          ? t`The view is deleted for everyone in the institution. What it lists stays as it is.`
          : t`What it lists stays as it is.`
      }
      action={t`Delete view`}
      onConfirm={onConfirm}
      onClose={onClose}
    />
  );
}
