import { t } from "@lingui/core/macro";
import Alert from "@mui/material/Alert";
import { Navigate, useLocation } from "react-router";
import { isSignedIn, type Session } from "../api/session";
import { useSetupStatus } from "../ui/useSetupStatus";
import { AuthLayout } from "./AuthLayout";
import { AuthLink } from "./AuthLink";
import { SingleSignOnProblem } from "./SingleSignOnProblem";
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
