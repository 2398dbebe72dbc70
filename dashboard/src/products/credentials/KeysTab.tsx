import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import Alert from "@mui/material/Alert";
import AlertTitle from "@mui/material/AlertTitle";
import Button from "@mui/material/Button";
import Skeleton from "@mui/material/Skeleton";
import Typography from "@mui/material/Typography";
import { useState } from "react";
import { $api, at, api, download } from "../../api/client";
import type { Product, Schemas } from "../../api/types";
import { ConfirmFormDialog, ConfirmDialog } from "../../ui/ConfirmDialog";
import { DescriptionList } from "../../ui/DescriptionList";
import { EmptyState } from "../../ui/EmptyState";
import { FormDialog } from "../../ui/form/FormDialog";
import { useApiForm } from "../../ui/form/useApiForm";
import { dateTime } from "../../ui/formats";
import { HelpLink } from "../../ui/help";
import { KeyIcon, DownloadIcon } from "../../ui/icons";
import { Column } from "../../ui/layout/layout";
import { PageLink } from "../../ui/PageLink";
import { ProblemAlert } from "../../ui/ProblemAlert";
import { Section } from "../../ui/Section";
import { generateKeys, KeySizeField, USUAL_KEY_SIZE } from "../parts/fields";
import { CodeValue, PublicKeySection } from "../parts/PublicKeySection";
import type { TabProps } from "../parts/TabProps";
import styles from "./credentials.module.css";
import { ProductKeysSection } from "./ProductKeysSection";
import { asProblem } from "../../api/problem";
import { CopyField } from "../../ui/CopyField";
import { notify } from "../../ui/toasts/toasts";

/** RSA keys and product keys of a product. */
export function KeysTab({ product, manage }: TabProps) {
  const [asked, setAsked] = useState<"generate" | "rotate" | null>(null);
  const [isRotated, setRotated] = useState(false);
  const { data: status, error } = $api.useQuery(
    "get",
    "/api/products/{productId}/keys/status",
    at({ productId: product.id }),
  );
  const close = () => setAsked(null);
  return (
    <Column gap="l">
      {error && <ProblemAlert error={error} />}
      {!status && !error && <Skeleton variant="rounded" height={170} />}
      {isRotated && <RotationNextSteps productId={product.id} onClose={() => setRotated(false)} />}
      {status?.exists === false && (
        <NoKeys onGenerate={manage ? () => setAsked("generate") : undefined} />
      )}
      {status?.exists && (
        <>
          <RsaKeySection status={status} onRotate={manage ? () => setAsked("rotate") : undefined} />
          <PublicKeySection productId={product.id} />
          <NextKeySection product={product} nextKey={status.next ?? null} manage={manage} />
        </>
      )}
      {manage && <ProductKeysSection productId={product.id} />}
      {asked === "generate" && <GenerateDialog productId={product.id} onClose={close} />}
      {asked === "rotate" && (
        <RotateDialog product={product} onRotated={() => setRotated(true)} onClose={close} />
      )}
    </Column>
  );
}

/** Empty state for a product without RSA keys. */
const NoKeys = ({ onGenerate }: { onGenerate: (() => void) | undefined }) => (
  <Section title={t`RSA keys`} help="rsa-keys">
    <EmptyState
      icon={<KeyIcon />}
      title={t`No RSA keys yet`}
      action={
        onGenerate && (
          <Button variant="contained" onClick={onGenerate}>
            {t`Generate keys`}
          </Button>
        )
      }
    >
      {t`Licenses are signed with these keys, so you need them to issue licenses.`}{" "}
      {!onGenerate && t`Ask an Owner or Admin to generate them.`}
    </EmptyState>
  </Section>
);

interface RsaKeySectionProps {
  status: Schemas["SigningKeyStatus"];
  /** Undefined if the user may not rotate the keys. */
  onRotate: (() => void) | undefined;
}

/** The current key pair. */
const RsaKeySection = ({ status, onRotate }: RsaKeySectionProps) => (
  <Section
    title={t`RSA keys`}
    subtitle={t`The private key signs every license.bin and every response to the SDK. It never leaves the service.`}
    help="rsa-keys"
    actions={
      onRotate && (
        <Button size="small" variant="outlined" color="error" onClick={onRotate}>
          {t`Rotate keys`}
        </Button>
      )
    }
  >
    <DescriptionList
      facts={[
        [
          t`Fingerprint (kid)`,
          <CodeValue key="kid" label={t`Copy kid`} value={status.kid ?? ""} />,
        ],
        [
          t`Algorithm`,
          t`${{ algorithm: status.algorithm ?? "RSA" }}, ${{ size: String(status.keySize ?? 0) }} bits`,
        ],
        [t`Generation`, String(status.generation)],
        [t`Created`, status.createdAt ? dateTime(status.createdAt) : null],
        [t`Last rotated`, status.rotatedAt ? dateTime(status.rotatedAt) : t`Never`],
      ]}
    />
  </Section>
);

interface GenerateDialogProps {
  productId: string;
  onClose: () => void;
}

/** Generates the first RSA keys of a product. */
function GenerateDialog({ productId, onClose }: GenerateDialogProps) {
  const form = useApiForm({
    values: { keySize: USUAL_KEY_SIZE },
    send: ({ keySize }) => generateKeys(productId, keySize),
    done: t`RSA keys generated.`,
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

const Consequence = () => (
  <>
    <strong>
      {t`If the current key has not leaked, cancel and prepare the next key instead: that breaks nothing.`}
    </strong>{" "}
    {t`A new key pair replaces the old one immediately. This cannot be undone. After the rotation:`}
    <ul className={styles.consequences}>
      <li>
        {t`Installed builds that know only the old public key reject every new response and license.bin of the service with SignatureMismatch. Offline licenses keep working with their current file until it must be refreshed.`}
      </li>
      <li>
        {t`New builds that know only the new public key reject every license.bin signed with the old key. With a connection they download a new file automatically; customers without one need a new file from you.`}
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
function RotateDialog({ product, onRotated, onClose }: RotateDialogProps) {
  const form = useApiForm({
    values: { keySize: USUAL_KEY_SIZE },
    send: async ({ keySize }) => {
      await generateKeys(product.id, keySize);
      onRotated();
    },
    done: t`RSA keys rotated.`,
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

interface RotationNextStepsProps {
  productId: string;
  onClose: () => void;
}

/** Next steps after rotating the RSA keys. */
function RotationNextSteps({ productId, onClose }: RotationNextStepsProps) {
  const filter = encodeURIComponent(JSON.stringify({ productId }));
  return (
    <Alert severity="warning" onClose={onClose} role="status">
      <AlertTitle>{t`Keys rotated. What to do now`}</AlertTitle>
      <ol className={styles.steps}>
        <li>{t`Put the public key below into your application and build it.`}</li>
        <li>
          <Trans>
            Add the build under <PageLink to={`/products/${productId}/releases`}>Releases</PageLink>{" "}
            and publish it. Installed builds are still offered the update: update checks do not
            depend on these keys.
          </Trans>
        </li>
        <li>
          <Trans>
            Send a new license.bin to customers without a connection: open each of their{" "}
            <PageLink to={`/licenses?filter=${filter}`}>licenses</PageLink> and download it.
          </Trans>
        </li>
      </ol>
    </Alert>
  );
}

type NextKey = Schemas["NextSigningKey"];

interface NextKeySectionProps {
  product: Product;
  nextKey: NextKey | null;
  manage: boolean;
}

/** The key pair that signs next, so that applications can trust it before it does. */
function NextKeySection({ product, nextKey, manage }: NextKeySectionProps) {
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
