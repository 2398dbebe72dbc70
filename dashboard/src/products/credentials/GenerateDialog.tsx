import { t } from "@lingui/core/macro";
import Typography from "@mui/material/Typography";
import { useState } from "react";
import { FormDialog } from "../../ui/FormDialog";
import { generateKeys } from "../parts/generateKeys";
import { KeySizeField, USUAL_KEY_SIZE, type KeySize } from "../parts/KeySizeField";
import { useNotifyChanged } from "../../ui/useNotifyChanged";

interface GenerateDialogProps {
  productId: string;
  onClose: () => void;
}

/** Generates the first RSA keys of a product. */
export function GenerateDialog({ productId, onClose }: GenerateDialogProps) {
  const notifyChanged = useNotifyChanged();
  const [keySize, setKeySize] = useState<KeySize>(USUAL_KEY_SIZE);
  return (
    <FormDialog
      title={t`Generate RSA keys`}
      action={t`Generate keys`}
      onSubmit={async () => {
        await generateKeys(productId, keySize);
        notifyChanged(t`RSA keys generated.`);
      }}
      onClose={onClose}
    >
      <Typography color="textSecondary">
        {t`The service generates a key pair. You then put the public key into your application.`}
      </Typography>
      <KeySizeField value={keySize} onValue={setKeySize} />
    </FormDialog>
  );
}
