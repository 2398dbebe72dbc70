import { t } from "@lingui/core/macro";
import Alert from "@mui/material/Alert";

/** Says that the session cannot change the account, and what to do. */
export const ClosedAccount = () => (
  <Alert severity="info">
    {t`You signed in through an identity provider. To change your account, sign out and sign in with your password or a passkey. If you have neither, use “Forgot your password?” on the sign-in page.`}
  </Alert>
);
