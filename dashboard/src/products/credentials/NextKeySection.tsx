import { t } from "@lingui/core/macro";
import Button from "@mui/material/Button";
import Typography from "@mui/material/Typography";
import { useState } from "react";
import { api, download, at } from "../../api/client";
import { asProblem } from "../../api/problem";
import type { Product, Schemas } from "../../api/types";
import { ConfirmDialog } from "../../ui/ConfirmDialog";
import { CopyField } from "../../ui/CopyField";
import { DescriptionList } from "../../ui/DescriptionList";
import { FormDialog } from "../../ui/form/FormDialog";
import { useApiForm } from "../../ui/form/useApiForm";
import { dateTime } from "../../ui/formats";
import { HelpLink } from "../../ui/help";
import { DownloadIcon } from "../../ui/icons";
import { Column } from "../../ui/layout/layout";
import { Section } from "../../ui/Section";
import { notify } from "../../ui/toasts/toasts";
import { KeySizeField, USUAL_KEY_SIZE } from "../parts/fields";
import { CodeValue } from "../parts/PublicKeySection";
import styles from "./credentials.module.css";

type NextKey = Schemas["NextSigningKey"];

interface NextKeySectionProps {
  product: Product;
  nextKey: NextKey | null;
  manage: boolean;
}

/** The key pair that signs next, so that applications can trust it before it does. */
export function NextKeySection({ product, nextKey, manage }: NextKeySectionProps) {
  const [asked, setAsked] = useState<"prepare" | "activate" | "discard" | null>(null);
  const close = () => setAsked(null);
  return (
    <Section
      title={t`Next key`}
      subtitle={t`Prepare the next key pair and ship applications that trust both public keys. Activate it once they are installed: then a rotation breaks nothing.`}
      help="rsa-keys"
      actions={
        manage && (
          <>
            {nextKey === null && (
              <Button size="small" variant="outlined" onClick={() => setAsked("prepare")}>
                {t`Prepare next key`}
              </Button>
            )}
            {nextKey !== null && (
              <>
                <Button size="small" color="error" onClick={() => setAsked("discard")}>
                  {t`Discard`}
                </Button>
                <Button size="small" variant="outlined" onClick={() => setAsked("activate")}>
                  {t`Activate`}
                </Button>
              </>
            )}
          </>
        )
      }
    >
      {nextKey === null && (
        <Typography color="textSecondary">{t`No key pair is prepared.`}</Typography>
      )}
      {nextKey !== null && <NextKeyFacts productId={product.id} nextKey={nextKey} />}
      {asked === "prepare" && <PrepareDialog productId={product.id} onClose={close} />}
      {asked === "activate" && <ActivateDialog product={product} onClose={close} />}
      {asked === "discard" && <DiscardDialog productId={product.id} onClose={close} />}
    </Section>
  );
}

const NextKeyFacts = ({ productId, nextKey }: { productId: string; nextKey: NextKey }) => {
  const save = async () => {
    try {
      await download(`/api/products/${productId}/keys/next/download`);
    } catch (error) {
      notify(asProblem(error).message, { type: "error" });
    }
  };
  return (
    <Column gap="m">
      <DescriptionList
        facts={[
          [
            t`Fingerprint (kid)`,
            <CodeValue key="kid" label={t`Copy kid of the next key`} value={nextKey.kid} />,
          ],
          [
            t`Algorithm`,
            t`${{ algorithm: nextKey.algorithm }}, ${{ size: String(nextKey.keySize) }} bits`,
          ],
          [t`Prepared`, dateTime(nextKey.createdAt)],
        ]}
      />
      <CopyField label={t`Next public key (PEM)`} value={nextKey.publicKeyPem.trim()} block />
      <div>
        <Button size="small" startIcon={<DownloadIcon />} onClick={() => void save()}>
          {t`Download next PEM`}
        </Button>
      </div>
    </Column>
  );
};

interface DialogProps {
  productId: string;
  onClose: () => void;
}

function PrepareDialog({ productId, onClose }: DialogProps) {
  const form = useApiForm({
    values: { keySize: USUAL_KEY_SIZE },
    send: ({ keySize }) =>
      api.POST("/api/products/{productId}/keys/prepare", {
        ...at({ productId }),
        body: { keySize },
      }),
    done: t`Next key prepared.`,
  });
  return (
    <FormDialog form={form} title={t`Prepare next key`} action={t`Prepare`} onClose={onClose}>
      <Typography color="textSecondary">
        {t`The service generates a second key pair. It signs nothing until you activate it, so nothing changes for your customers.`}
      </Typography>
      <KeySizeField {...form.field("keySize")} />
    </FormDialog>
  );
}

function ActivateDialog({ product, onClose }: { product: Product; onClose: () => void }) {
  return (
    <ConfirmDialog
      title={t`Activate next key`}
      action={t`Activate`}
      danger
      typed={product.name}
      consequence={
        <>
          {t`The next key signs everything from now on, and the current one nothing more. This cannot be undone.`}
          <ul className={styles.consequences}>
            <li>{t`Builds that trust both public keys go on working, updates and license files included.`}</li>
            <li>{t`Builds that know only the old public key reject every new response and license.bin with SignatureMismatch.`}</li>
          </ul>
          <HelpLink topic="rsa-keys">{t`About key rotation`}</HelpLink>
        </>
      }
      onConfirm={() =>
        api.POST("/api/products/{productId}/keys/activate", at({ productId: product.id }))
      }
      done={t`The next key signs now.`}
      onClose={onClose}
    />
  );
}

function DiscardDialog({ productId, onClose }: DialogProps) {
  return (
    <ConfirmDialog
      title={t`Discard next key`}
      action={t`Discard`}
      danger
      consequence={t`The prepared key pair is deleted and never signs. Builds that already trust it go on working with the current key, but do not know the pair that you prepare next. This cannot be undone.`}
      onConfirm={() => api.DELETE("/api/products/{productId}/keys/next", at({ productId }))}
      done={t`Next key discarded.`}
      onClose={onClose}
    />
  );
}
