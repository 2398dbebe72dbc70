import { t } from "@lingui/core/macro";
import Button from "@mui/material/Button";
import type { Schemas } from "../../api/types";
import { DescriptionList } from "../../ui/DescriptionList";
import { dateTime } from "../../ui/formats";
import { Section } from "../../ui/Section";
import { CodeValue } from "../parts/CodeValue";

interface RsaKeySectionProps {
  status: Schemas["SigningKeyStatus"];
  /** Undefined if the user may not rotate the keys. */
  onRotate: (() => void) | undefined;
}

/** The current key pair. */
export const RsaKeySection = ({ status, onRotate }: RsaKeySectionProps) => (
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
