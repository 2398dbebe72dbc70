import { t } from "@lingui/core/macro";
import Typography from "@mui/material/Typography";
import { FormDialog } from "../../ui/form/FormDialog";
import { useApiForm } from "../../ui/form/useApiForm";
import { generateKeys } from "../parts/generateKeys";
import { KeySizeField, USUAL_KEY_SIZE } from "../parts/KeySizeField";
import { useNotifyChanged } from "../../ui/useNotifyChanged";

interface GenerateDialogProps {
  productId: string;
  onClose: () => void;
}

/** Generates the first RSA keys of a product. */
export function GenerateDialog({ productId, onClose }: GenerateDialogProps) {
  const notifyChanged = useNotifyChanged();
  const form = useApiForm({
    values: { keySize: USUAL_KEY_SIZE },
    send: async ({ keySize }) => {
      await generateKeys(productId, keySize);
      notifyChanged(t`RSA keys generated.`);
    },
  });
  return (
    <FormDialog
      form={form}
      title={t`Generate RSA keys`}
      action={t`Generate keys`}
      onClose={onClose}
    >
      <Typography color="textSecondary">
        {t`The service generates a key pair. You then put the public key into your application.`}
      </Typography>
      <KeySizeField {...form.field("keySize")} />
    </FormDialog>
  );
}
