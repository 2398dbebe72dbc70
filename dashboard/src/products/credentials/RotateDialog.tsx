import { t } from "@lingui/core/macro";
import type { Product } from "../../api/types";
import { ConfirmFormDialog } from "../../ui/ConfirmDialog";
import { useApiForm } from "../../ui/form/useApiForm";
import { HelpLink } from "../../ui/HelpLink";
import { generateKeys } from "../parts/generateKeys";
import { KeySizeField, USUAL_KEY_SIZE } from "../parts/KeySizeField";
import { useNotifyChanged } from "../../ui/useNotifyChanged";
import styles from "./credentials.module.css";

const Consequence = () => (
  <>
    {t`A new key pair replaces the old one immediately. This cannot be undone. An application knows only one public key, so after the rotation:`}
    <ul className={styles.consequences}>
      <li>
        {t`Installed builds, which contain the old public key, reject every new response and license.bin of the service with SignatureMismatch. Offline licenses keep working with their current file until it must be refreshed.`}
      </li>
      <li>
        {t`New builds, which contain the new public key, reject every license.bin signed with the old key. With a connection they download a new file automatically; customers without one need a new file from you.`}
      </li>
      <li>{t`Licenses, license keys, devices, balances and product keys are not affected.`}</li>
    </ul>
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
  const form = useApiForm({
    values: { keySize: USUAL_KEY_SIZE },
    send: async ({ keySize }) => {
      await generateKeys(product.id, keySize);
      onRotated();
      notifyChanged(t`RSA keys rotated.`);
    },
  });
  return (
    <ConfirmFormDialog
      form={form}
      title={t`Rotate RSA keys`}
      action={t`Rotate keys`}
      danger
      typed={product.name}
      consequence={<Consequence />}
      onClose={onClose}
    >
      <KeySizeField {...form.field("keySize")} />
    </ConfirmFormDialog>
  );
}
