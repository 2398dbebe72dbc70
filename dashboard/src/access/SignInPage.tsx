import { t } from "@lingui/core/macro";
import Alert from "@mui/material/Alert";
import { Navigate, useLocation, useSearchParams } from "react-router";
import { isSignedIn, type Session } from "../api/session";
import { useSetupStatus } from "../ui/useSetupStatus";
import { AuthLink } from "./AuthForm";
import { AuthLayout } from "./AuthLayout";
import { SignInForm } from "./SignInForm";
import { homePathOf, useStartSession } from "./useStartSession";

/** The page that redirected to sign-in. */
interface Origin {
  nextPathname?: string;
  nextSearch?: string;
  hasEnded?: boolean;
}

const nextOf = ({ nextPathname, nextSearch = "" }: Origin) =>
  nextPathname && nextPathname + nextSearch;

const targetOf = (session: Session, origin: Origin): string => {
  const home = homePathOf(session);
  // The portal is open to every user; other pages only to members of an institution.
  const isOpen = home === "/" || origin.nextPathname?.startsWith("/portal");
  return (isOpen && nextOf(origin)) || home;
};

export default function SignInPage() {
  const origin = (useLocation().state ?? {}) as Origin;
  const enter = useStartSession();
  const { data: entrance, isPending } = useSetupStatus();
  if (isPending) return null;
  if (entrance?.required) return <Navigate to="/setup" replace />;
  if (isSignedIn()) return <Navigate to={nextOf(origin) ?? "/"} replace />;
  return (
    <AuthLayout
      title={t`Sign in`}
      footer={
        <>
          {entrance?.signUp === "Open" && (
            <AuthLink to="/register">{t`Create an account`}</AuthLink>
          )}
          <AuthLink to="/portal">{t`Bought a license? Manage it here`}</AuthLink>
        </>
      }
    >
      {origin.hasEnded && (
        <Alert severity="info">
          {t`Your session has expired. Sign in to return to where you were.`}
        </Alert>
      )}
      <SingleSignOnProblem />
      <SignInForm
        onSession={async (session) => {
          if (session) await enter(session, targetOf(session, origin));
        }}
      />
    </AuthLayout>
  );
}

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
  secret: t`The client secret for your identity provider cannot be read any more. An Owner can sign in with a password and a second factor, and save the connection with the secret again.`,
  email: t`Your identity provider sent no email address. Ask an Owner of your institution.`,
};

/** Why the identity provider sent the browser back without a session, from the URL. */
function SingleSignOnProblem() {
  const [query] = useSearchParams();
  const code = query.get("sso");
  if (code === null) return null;
  return (
    <Alert severity="error">{BY_REASON[query.get("reason") ?? ""] ?? BY_CODE[code] ?? OTHER}</Alert>
  );
}
