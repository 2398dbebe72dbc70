import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { useState } from "react";
import { Navigate } from "react-router";
import { PortalAccessRequest } from "../api/checks";
import { api } from "../api/client";
import { isSignedIn } from "../api/session";
import { useApiForm } from "../ui/form/useApiForm";
import { useSetupStatus } from "../ui/useSetupStatus";
import { useUrlParams } from "../ui/useUrlParams";
import { usePublicVendor } from "../ui/vendor/vendor";
import { AuthLayout } from "./AuthLayout";
import { AuthForm, AuthLink, EmailField } from "./AuthForm";

/**
 * Requests portal access. The response does not reveal whether the address has a license. With
 * `?vendor=` the page looks like that vendor's, as far as it shows itself to everybody.
 */
export default function PortalAccessPage() {
  const [asked, setAsked] = useState<string>();
  const { isPending } = useSetupStatus();
  const form = useApiForm({
    values: { email: "" },
    checks: PortalAccessRequest,
    send: async (body) => {
      await api.POST("/api/portal/access", { body, parseAs: "text" });
      setAsked(body.email);
    },
  });
  const { params } = useUrlParams();
  const vendor = usePublicVendor(params.get("vendor"));
  if (isPending || vendor === null) return null;
  if (isSignedIn()) return <Navigate to="/portal" replace />;
  const signIn = (
    <AuthLink to="/login" state={{ nextPathname: "/portal" }}>
      {t`Already have a password? Sign in`}
    </AuthLink>
  );
  if (asked !== undefined)
    return (
      <AuthLayout
        title={t`Check your email`}
        vendor={vendor}
        isPortal
        subtitle={
          <>
            <Trans>
              If there is a license for <strong>{asked}</strong>, we have sent an email to that
              address.
            </Trans>
          </>
        }
        footer={signIn}
      >
        {t`Use the link in it to choose a password. It works once and expires in a day. No email? Check your spam folder, or try another address that you may have bought with.`}
      </AuthLayout>
    );
  return (
    <AuthLayout
      title={t`Your licenses`}
      vendor={vendor}
      isPortal
      subtitle={t`Enter the email address your license was issued to and we will send you an access link.`}
      footer={signIn}
    >
      <AuthForm form={form} action={t`Send link`}>
        <EmailField {...form.field("email")} autoFocus />
      </AuthForm>
    </AuthLayout>
  );
}
