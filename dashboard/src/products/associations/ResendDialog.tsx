import { t } from "@lingui/core/macro";
import { api } from "../../api/client";
import { ConfirmDialog } from "../../ui/ConfirmDialog";
import { useNotifyChanged } from "../../ui/useNotifyChanged";
import { nameOf, type Association } from "./association";

interface ResendDialogProps {
  productId: string;
  association: Association;
  onResent: (association: Association) => void;
  onClose: () => void;
}

export function ResendDialog({ productId, association, onResent, onClose }: ResendDialogProps) {
  const notifyChanged = useNotifyChanged();
  const name = nameOf(association);
  const resend = async () => {
    const { data } = await api.POST(
      "/api/products/{productId}/associations/{associationId}/resend",
      { params: { path: { productId, associationId: association.id } } },
    );
    notifyChanged(t`Invitation resent to ${name}.`);
    if (data) onResent(data);
  };
  return (
    <ConfirmDialog
      title={t`Resend invitation`}
      action={t`Resend`}
      consequence={t`${name} gets a new email, and you get a new link to share. It is valid for seven days; earlier links stop working.`}
      onConfirm={resend}
      onClose={onClose}
    />
  );
}
