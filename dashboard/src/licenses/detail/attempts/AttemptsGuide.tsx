import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import Button from "@mui/material/Button";
import Link from "@mui/material/Link";
import Typography from "@mui/material/Typography";
import { useState } from "react";
import { Link as RouterLink } from "react-router";
import type { License } from "../../../api/types";
import { Section } from "../../../ui/Section";
import styles from "../detail.module.css";
import { RevokeDialog } from "../actions/RevokeDialog";
import { isAddress } from "../traits";
import { ReviewAllButton } from "./ReviewButton";

/** Explains what access attempts may mean and what to do about them. */
export function AttemptsGuide({ license }: { license: License }) {
  const [revoking, setRevoking] = useState(false);
  return (
    <Section
      title={t`What to do about access attempts`}
      help="access-attempts"
      actions={
        <>
          {license.unreviewedAccessAttempts > 0 && <ReviewAllButton license={license} />}
          {isAddress(license.issuedTo) && (
            <Button
              size="small"
              variant="outlined"
              href={`mailto:${license.issuedTo}?subject=${encodeURIComponent(license.licenseName)}`}
            >
              {t`Email customer`}
            </Button>
          )}
          {license.status !== "Revoked" && (
            <Button size="small" variant="outlined" color="error" onClick={() => setRevoking(true)}>
              {t`Revoke license`}
            </Button>
          )}
        </>
      }
    >
      <Typography color="textSecondary" className={styles.prose}>
        <Trans>
          The usual reason is a new computer. Deactivate the old one under{" "}
          <Link component={RouterLink} to={`/licenses/${license.id}/activations`}>
            Activations
          </Link>{" "}
          to allow the new one. Many machines within a few days suggest that the key is being
          shared. Marking an attempt as reviewed only removes the warning.
        </Trans>
      </Typography>
      {revoking && <RevokeDialog license={license} onClose={() => setRevoking(false)} />}
    </Section>
  );
}
