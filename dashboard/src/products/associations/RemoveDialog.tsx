import { t } from "@lingui/core/macro";
import { api } from "../../api/client";
import { ConfirmDialog } from "../../ui/ConfirmDialog";
import { useNotifyChanged } from "../../ui/useNotifyChanged";
import { nameOf, type Association } from "./association";

interface RemoveDialogProps {
  productId: string;
  association: Association;
  onClose: () => void;
}

/** Withdraws an invitation, or ends an association; refused while it has live licenses. */
export function RemoveDialog({ productId, association, onClose }: RemoveDialogProps) {
  const notifyChanged = useNotifyChanged();
  const name = nameOf(association);
  const isInvited = association.status === "Invited";
  const remove = async () => {
    await api.DELETE("/api/products/{productId}/associations/{associationId}", {
      params: { path: { productId, associationId: association.id } },
    });
    notifyChanged(
      isInvited ? t`Invitation of ${name} withdrawn.` : t`Association with ${name} removed.`,
    );
  };
  return isInvited ? (
    <ConfirmDialog
      title={t`Withdraw invitation`}
      action={t`Withdraw invitation`}
      danger
      consequence={t`The link sent to ${name} stops working immediately.`}
      onConfirm={remove}
      onClose={onClose}
    />
  ) : (
    <ConfirmDialog
      title={t`Remove association with ${name}`}
      action={t`Remove association`}
      danger
      consequence={t`You can no longer issue licenses of this product to the institution; it still sees those that have ended. An association cannot be removed while the institution has licenses that are neither revoked nor expired: revoke them first, or wait until their terms end.`}
      onConfirm={remove}
      onClose={onClose}
    />
  );
}
