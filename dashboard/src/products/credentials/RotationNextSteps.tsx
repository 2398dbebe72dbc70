import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import Alert from "@mui/material/Alert";
import AlertTitle from "@mui/material/AlertTitle";
import Link from "@mui/material/Link";
import { Link as RouterLink } from "react-router";
import styles from "./credentials.module.css";

interface RotationNextStepsProps {
  productId: string;
  onClose: () => void;
}

/** Next steps after rotating the RSA keys. */
export function RotationNextSteps({ productId, onClose }: RotationNextStepsProps) {
  const filter = encodeURIComponent(JSON.stringify({ productId }));
  return (
    <Alert severity="warning" onClose={onClose} role="status">
      <AlertTitle>{t`Keys rotated. What to do now`}</AlertTitle>
      <ol className={styles.steps}>
        <li>{t`Put the public key below into your application and build it.`}</li>
        <li>
          <Trans>
            Add the build under{" "}
            <Link component={RouterLink} to={`/products/${productId}/releases`}>
              Releases
            </Link>{" "}
            and publish it. Installed builds are still offered the update: update checks do not
            depend on these keys.
          </Trans>
        </li>
        <li>
          <Trans>
            Send a new license.bin to customers without a connection: open each of their{" "}
            <Link component={RouterLink} to={`/licenses?filter=${filter}`}>
              licenses
            </Link>{" "}
            and download it.
          </Trans>
        </li>
      </ol>
    </Alert>
  );
}
