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
    title="RSA keys"
    subtitle="The private key signs every license.bin and every response to the SDK. It never leaves the service."
    help="rsa-keys"
    actions={
      onRotate && (
        <Button size="small" variant="outlined" color="error" onClick={onRotate}>
          Rotate keys
        </Button>
      )
    }
  >
    <DescriptionList
      facts={[
        ["Fingerprint (kid)", <CodeValue key="kid" label="Copy kid" value={status.kid ?? ""} />],
        ["Algorithm", `${status.algorithm ?? "RSA"}, ${String(status.keySize ?? 0)} bits`],
        ["Generation", String(status.generation)],
        ["Created", status.createdAt ? dateTime(status.createdAt) : null],
        ["Last rotated", status.rotatedAt ? dateTime(status.rotatedAt) : "Never"],
      ]}
    />
  </Section>
);
