import { t } from "@lingui/core/macro";
import Button from "@mui/material/Button";
import Skeleton from "@mui/material/Skeleton";
import { useQuery } from "@tanstack/react-query";
import { useState, type ReactNode } from "react";
import { TokenRequest } from "../api/checks";
import { request } from "../api/client";
import { useApiForm } from "../ui/form/useApiForm";
import { ProblemAlert } from "../ui/ProblemAlert";
import { AuthForm, TokenField } from "./AuthForm";
import { AuthLayout } from "./AuthLayout";
import { useUrlToken } from "./useUrlToken";

interface MailedOfferProps<Offer> {
  title: string;
  footer: ReactNode;
  /** The path that tells what a code offers. */
  preview: string;
  /** What to do if the code is not accepted. */
  advice: string;
  children: (token: string, offer: Offer) => ReactNode;
}

/** What the code in an email offers; asks for the code if no link brought it. */
export function MailedOffer<Offer>(props: MailedOfferProps<Offer>) {
  const [token, setToken] = useState(useUrlToken());
  if (token === null)
    return (
      <AuthLayout title={props.title} footer={props.footer}>
        <TokenForm onToken={setToken} />
      </AuthLayout>
    );
  return <Preview key={token} {...props} token={token} onAnother={() => setToken(null)} />;
}

function TokenForm({ onToken }: { onToken: (token: string) => void }) {
  const form = useApiForm({
    values: { token: "" },
    checks: TokenRequest,
    send: ({ token }) => {
      onToken(token.trim());
      return Promise.resolve();
    },
  });
  return (
    <AuthForm form={form} action={t`Continue`}>
      <TokenField {...form.field("token")} />
    </AuthForm>
  );
}

interface PreviewProps<Offer> extends MailedOfferProps<Offer> {
  token: string;
  onAnother: () => void;
}

function Preview<Offer>(props: PreviewProps<Offer>) {
  const { title, footer, preview, advice, token, onAnother, children } = props;
  const { data, error, isFetching, refetch } = useQuery({
    // The token is left out of the key: developer tools show query keys.
    queryKey: [preview],
    queryFn: () => request<Offer>("POST", preview, { token }),
    retry: false,
    gcTime: 0,
    staleTime: Infinity,
  });
  if (data) return children(token, data);
  return (
    <AuthLayout title={title} footer={footer}>
      {error && !isFetching ? (
        <>
          <ProblemAlert error={error} retry={() => void refetch()} />
          {advice}
          <Button onClick={onAnother}>{t`Enter a different code`}</Button>
        </>
      ) : (
        <>
          <Skeleton variant="rounded" height={40} />
          <Skeleton variant="rounded" height={40} />
        </>
      )}
    </AuthLayout>
  );
}
