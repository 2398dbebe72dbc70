import { t } from "@lingui/core/macro";
import Box from "@mui/material/Box";
import { useState } from "react";
import type { Product } from "../../api/types";
import { ConfirmDialog } from "../../ui/ConfirmDialog";
import { HelpLink } from "../../ui/HelpLink";
import { generateKeys } from "../parts/generateKeys";
import { KeySizeField, USUAL_KEY_SIZE, type KeySize } from "../parts/KeySizeField";
import { useNotifyChanged } from "../../ui/useNotifyChanged";

const Consequence = () => (
  <>
    {t`A new key pair replaces the old one immediately. This cannot be undone. An application knows only one public key, so after the rotation:`}
    <Box component="ul" sx={{ pl: 2.5, my: 1, "& li": { mb: 0.5 } }}>
      <li>
        {t`Installed builds, which contain the old public key, reject every new response and license.bin of the service with SignatureMismatch. Offline licenses keep working with their current file until it must be refreshed.`}
      </li>
      <li>
        {t`New builds, which contain the new public key, reject every license.bin signed with the old key. With a connection they download a new file automatically; customers without one need a new file from you.`}
      </li>
      <li>{t`Licenses, license keys, devices, balances and product keys are not affected.`}</li>
    </Box>
    {t`Prepare a release in which only the public key has to be replaced. Then rotate, build and publish it, and send new files to customers without a connection.`}{" "}
    <HelpLink topic="rsa-keys">{t`About key rotation`}</HelpLink>
  </>
);

interface RotateDialogProps {
  product: Product;
  onRotated: () => void;
  onClose: () => void;
}

/** Rotates the RSA keys after a warning about what breaks. */
export function RotateDialog({ product, onRotated, onClose }: RotateDialogProps) {
  const notifyChanged = useNotifyChanged();
  const [keySize, setKeySize] = useState<KeySize>(USUAL_KEY_SIZE);
  return (
    <ConfirmDialog
      title={t`Rotate RSA keys`}
      action={t`Rotate keys`}
      danger
      typed={product.name}
      consequence={<Consequence />}
      onConfirm={async () => {
        await generateKeys(product.id, keySize);
        onRotated();
        notifyChanged(t`RSA keys rotated.`);
      }}
      onClose={onClose}
    >
      <KeySizeField value={keySize} onValue={setKeySize} />
    </ConfirmDialog>
  );
}
