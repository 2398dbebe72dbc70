import { t } from "@lingui/core/macro";
import Alert from "@mui/material/Alert";
import type { ReactNode } from "react";
import { $api } from "../../api/client";
import type { Schemas } from "../../api/types";
import { dateTime } from "../../ui/formats";
import { Page } from "../../ui/Page";
import { ButtonLink } from "../../ui/PageLink";
import { TabLinks } from "../../ui/RouteTabs";
import { useInstitution } from "../../ui/useInstitution";

const TABS = [
  { path: "", label: t`Licenses` },
  { path: "products", label: t`Products` },
] as const;

interface ReceivedFrameProps {
  current: (typeof TABS)[number]["path"];
  children: ReactNode;
}

/** What vendors license to the current institution: one by one, or by product. */
export function ReceivedFrame({ current, children }: ReceivedFrameProps) {
  const { institutionName } = useInstitution();
  return (
    <Page
      title={t`Received licenses`}
      help="associations"
      subtitle={institutionName && t`Issued to ${institutionName} by its vendors`}
    >
      <TabLinks base="/received-licenses" label={t`Received`} tabs={TABS} current={current} />
      <div role="tabpanel" aria-label={TABS.find(({ path }) => path === current)?.label}>
        {children}
      </div>
    </Page>
  );
}

export type ReceivedAssociation = Schemas["ReceivedAssociation"];

/** Pending invitations of the institution, for its Owners to accept. */
export function Invitations({ institutionId }: { institutionId: string }) {
  const { data } = $api.useQuery("get", "/api/associations", {
    params: { query: { institutionId, pageSize: 100 } },
  });
  const pending = (data?.items ?? []).filter((item) => item.status === "Invited");
  return pending.map((item) => (
    <Alert key={item.id} severity="info" action={<ReviewButton association={item} />}>
      {inviteOf(item)} {invitationOf(item)}
    </Alert>
  ));
}

const inviteOf = ({ vendorName, productName }: ReceivedAssociation): string =>
  t`${vendorName} invites your institution to receive licenses of ${productName}.`;

/** When an invitation expires, or who can accept it if this user cannot. */
export const invitationOf = ({ acceptUrl, expiresAt }: ReceivedAssociation): string =>
  acceptUrl && expiresAt
    ? t`The invitation expires ${{ moment: dateTime(expiresAt) }}.`
    : t`An Owner of your institution can accept.`;

/** Leads to the invitation, for those who may accept it. */
export function ReviewButton({ association }: { association: ReceivedAssociation }) {
  const { acceptUrl, vendorName } = association;
  if (!acceptUrl) return null;
  const { pathname, search } = new URL(acceptUrl);
  return (
    <ButtonLink
      to={`${pathname}${search}`}
      color="inherit"
      size="small"
      aria-label={t`Review the invitation of ${vendorName}`}
    >
      {t`Review`}
    </ButtonLink>
  );
}
