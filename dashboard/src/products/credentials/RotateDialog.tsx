import Box from "@mui/material/Box";
import { useState } from "react";
import type { Product } from "../../api/types";
import { ConfirmDialog } from "../../ui/ConfirmDialog";
import { HelpLink } from "../../ui/HelpLink";
import { generateKeys } from "../parts/generateKeys";
import { KeySizeField, USUAL_KEY_SIZE, type KeySize } from "../parts/KeySizeField";
import { useChanged } from "../../ui/useChanged";

const Consequence = () => (
  <>
    A new key pair takes the place of the old one at once, and there is no way back. An application
    knows one public key, so after this:
    <Box component="ul" sx={{ pl: 2.5, my: 1, "& li": { mb: 0.5 } }}>
      <li>
        Installed builds, which carry the old public key, refuse every answer and every license.bin
        of the service with SignatureMismatch. An Offline license goes on with the file that it has,
        until that is to be renewed.
      </li>
      <li>
        New builds, which carry the new public key, refuse every license.bin that was signed with
        the old one. With a connection they fetch a new file by themselves; without one your
        customers need a new file from you.
      </li>
      <li>Licenses, license keys, devices, balances and product keys stay as they are.</li>
    </Box>
    Have a release ready in which only the public key is to be replaced, then rotate, build and
    publish it, and send new files to customers without a connection.{" "}
    <HelpLink topic="rsa-keys">More about rotation</HelpLink>
  </>
);

interface RotateDialogProps {
  product: Product;
  onRotated: () => void;
  onClose: () => void;
}

/** Replaces the RSA keys, after saying what that breaks. */
export function RotateDialog({ product, onRotated, onClose }: RotateDialogProps) {
  const tell = useChanged();
  const [keySize, setKeySize] = useState<KeySize>(USUAL_KEY_SIZE);
  return (
    <ConfirmDialog
      title="Rotate RSA keys"
      action="Rotate keys"
      danger
      typed={product.name}
      consequence={<Consequence />}
      onConfirm={async () => {
        await generateKeys(product.id, keySize);
        onRotated();
        tell("The keys were rotated.");
      }}
      onClose={onClose}
    >
      <KeySizeField value={keySize} onValue={setKeySize} />
    </ConfirmDialog>
  );
}
