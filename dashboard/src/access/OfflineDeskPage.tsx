import { t } from "@lingui/core/macro";
import { useState } from "react";
import { useLocation, useNavigate } from "react-router";
import { request as send } from "../api/client";
import { isSignedIn } from "../api/session";
import { Desk, type DeskRoutes } from "../ui/offline/Desk";
import { RequestInput } from "../ui/offline/RequestInput";
import { type Readable, readRequest } from "../ui/offline/requests";
import type { RequestAnswer, RequestPreview } from "../ui/offline/wire";
import { useUrlParams } from "../ui/useUrlParams";
import { usePublicVendor } from "../ui/vendor/vendor";
import { AuthLayout } from "./AuthLayout";
import { AuthLink } from "./AuthForm";

const bodyOf = ({ request }: Readable, licenseKey: string | null) => ({
  request,
  ...(licenseKey !== null && { licenseKey }),
});

const ROUTES: DeskRoutes = {
  preview: (asked, key) =>
    send<RequestPreview>("POST", "/api/offline/requests", bodyOf(asked, key)),
  answer: (asked, key) =>
    send<RequestAnswer>("POST", "/api/offline/requests/answer", bodyOf(asked, key)),
};

/** The key that the page of a license has brought along; it never stands in an address. */
const keyIn = (state: unknown): string | null => {
  const { licenseKey } = (state ?? {}) as { licenseKey?: unknown };
  return typeof licenseKey === "string" ? licenseKey : null;
};

/**
 * Answers requests of machines without a network. The request is in the fragment of the address,
 * which no server sees, so that a QR code leads here and a reload asks again.
 */
export default function OfflineDeskPage() {
  const { hash, search, state } = useLocation();
  const navigate = useNavigate();
  const [licenseKey] = useState(() => keyIn(state));
  const [code, setCode] = useState<Readable | null>(null);
  const { params } = useUrlParams();
  const vendor = usePublicVendor(params.get("vendor"));
  if (vendor === null) return null;
  const read = hash.length > 1 ? readRequest(decodeURIComponent(hash)) : null;
  const asked = code ?? (read && "request" in read ? read : null);
  const go = (fragment: string) => void navigate({ search, hash: fragment }, { replace: true });
  return (
    <AuthLayout
      title={t`Offline desk`}
      vendor={vendor}
      isWide
      subtitle={t`Activate, renew or release an application on a machine without a network.`}
      footer={
        <AuthLink to={isSignedIn() ? "/portal" : "/portal/access"}>{t`My licenses`}</AuthLink>
      }
    >
      {asked ? (
        <Desk
          key={asked.request}
          request={asked}
          routes={ROUTES}
          licenseKey={licenseKey}
          onAnother={() => {
            setCode(null);
            go("");
          }}
        />
      ) : (
        <RequestInput
          fault={read && "fault" in read ? read.fault : null}
          onRequest={(found) => {
            // A code says nothing of whose it is: it stays out of the address.
            if (found.isCode) setCode(found);
            else go(found.request);
          }}
        />
      )}
    </AuthLayout>
  );
}
