import { t } from "@lingui/core/macro";
import Alert from "@mui/material/Alert";
import { useSearchParams } from "react-router";

const BY_CODE: Record<string, string> = {
  NotFound: t`No institution uses single sign-on with this email domain. Sign in with your password, or check the address.`,
  Unavailable: t`The identity provider sent an unexpected response. Try again in a moment. If the problem persists, ask an Owner of your institution.`,
  Unauthorized: t`The identity provider's response was rejected. Start again.`,
  Forbidden: t`Your identity provider does not give you access here. Ask an Owner of your institution.`,
  RateLimited: t`Too many attempts. Wait a minute and try again.`,
};
const OTHER = t`Single sign-on failed. Try again, or ask an Owner of your institution.`;

const BY_REASON: Record<string, string> = {
  domain: t`The email address that your identity provider sent is not in a confirmed domain.`,
  role: t`Your identity provider gives you no role here. Ask an Owner of your institution.`,
  linked: t`Your account is linked to another user at the identity provider. Ask an Owner.`,
  email: t`Your identity provider sent no email address. Ask an Owner of your institution.`,
};

/** Why the identity provider sent the browser back without a session, from the URL. */
export function SingleSignOnProblem() {
  const [query] = useSearchParams();
  const code = query.get("sso");
  if (code === null) return null;
  return (
    <Alert severity="error">{BY_REASON[query.get("reason") ?? ""] ?? BY_CODE[code] ?? OTHER}</Alert>
  );
}
