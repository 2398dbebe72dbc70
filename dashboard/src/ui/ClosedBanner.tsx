import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import Alert from "@mui/material/Alert";
import Button from "@mui/material/Button";
import styles from "./banner.module.css";
import { useInstitution } from "./useInstitution";
import { serviceUrl } from "../api/address";
import { ButtonLink } from "./PageLink";

/** Says which institutions the session does not reach, and what opens them. */
export function ClosedBanner() {
  const { profile } = useInstitution();
  const closed = profile?.memberships.filter((item) => item.closed) ?? [];
  if (!profile || profile.isSystemAdmin || closed.length === 0) return null;
  const first = closed[0];
  const names = closed
    .filter((item) => item.closed === first?.closed)
    .map((item) => item.institutionName)
    .join(", ");
  const sso = serviceUrl(
    `/api/auth/sso/start?${new URLSearchParams({ email: profile.email }).toString()}`,
  );
  return (
    <Alert
      severity="warning"
      role="region"
      aria-label={t`Closed institutions`}
      className={styles.banner}
    >
      {first?.closed === "SecondFactor" && (
        <>
          <Trans>
            <bdi>{names}</bdi> requires a second factor. Turn one on, or confirm with the one that
            you have.
          </Trans>{" "}
          <ButtonLink size="small" to="/profile/second-factor">
            {t`Second factor`}
          </ButtonLink>
        </>
      )}
      {first?.closed === "SingleSignOn" && (
        <>
          <Trans>
            <bdi>{names}</bdi> signs in through its own identity provider.
          </Trans>{" "}
          <Button size="small" href={sso}>
            {t`Sign in with single sign-on`}
          </Button>
        </>
      )}
    </Alert>
  );
}
