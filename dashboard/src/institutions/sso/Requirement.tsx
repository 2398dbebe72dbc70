import { t } from "@lingui/core/macro";
import FormControlLabel from "@mui/material/FormControlLabel";
import Switch from "@mui/material/Switch";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { api, at, request } from "../../api/client";
import type { Schemas } from "../../api/types";
import { ConfirmDialog } from "../../ui/ConfirmDialog";
import { Muted } from "../../ui/Muted";
import { namesText } from "../settings/people";
import type { ConnectedProps } from "./connection";

type Member = Schemas["Member"];

const PAGE = 100;

/** All members, page by page. */
async function fetchMembers(path: string): Promise<Member[]> {
  const found: Member[] = [];
  for (let page = 1; ; page += 1) {
    const { items } = await request<Schemas["MemberList"]>(
      "GET",
      `${path}?page=${page}&pageSize=${PAGE}&sort=fullName`,
    );
    found.push(...items);
    if (items.length < PAGE) return found;
  }
}

function useMembers(institutionId: string): Member[] | undefined {
  const path = `/api/institutions/${institutionId}/members`;
  return useQuery({ queryKey: ["get", path, "all"], queryFn: () => fetchMembers(path) }).data;
}

const isOf = (domains: readonly string[], { email }: Member) =>
  domains.includes(email.slice(email.lastIndexOf("@") + 1).toLowerCase());

interface BoundProps {
  members: readonly Member[];
  /** Those that are confirmed. */
  domains: readonly string[];
}

/** Whom the requirement binds, and who loses access by it. */
function Bound({ members, domains }: BoundProps) {
  const bound = members.filter(({ role }) => role !== "Owner");
  const outside = bound.filter((member) => !isOf(domains, member));
  const exposed = members.filter(
    ({ role, hasSecondFactor }) => role === "Owner" && !hasSecondFactor,
  );
  return (
    <>
      <p>
        {t`It binds ${{ bound: bound.length }} of ${{ all: members.length }} members: everyone but Owners. Their passwords no longer open the institution; API keys are not affected.`}
      </p>
      {outside.length > 0 && (
        <p>
          {t`These have no address in a confirmed domain and lose access: ${{ names: namesText(outside) }}.`}
        </p>
      )}
      <p>
        {t`Owners can still sign in with their password and a second factor, so that they have access while the provider is unavailable.`}
        {exposed.length > 0 && (
          <>
            {" "}
            {t`These Owners have no second factor yet and need one: ${{ names: namesText(exposed) }}.`}
          </>
        )}
      </p>
    </>
  );
}

interface RequirementProps extends ConnectedProps {
  /** Whether the test of the provider was passed. */
  isTested: boolean;
}

/** Whether members must sign in through the provider; says whom that binds before it does. */
export function Requirement({ institutionId, connection, isTested }: RequirementProps) {
  const [asked, setAsked] = useState<boolean>();
  const members = useMembers(institutionId);
  const { enforced, confirmedDomains } = connection;
  const missing =
    confirmedDomains.length === 0
      ? t`Confirm a domain first.`
      : isTested
        ? undefined
        : t`Test the connection first.`;
  return (
    <div>
      <FormControlLabel
        label={t`Require single sign-on`}
        disabled={!enforced && missing !== undefined}
        control={<Switch checked={enforced} onChange={(_, checked) => setAsked(checked)} />}
      />
      <Muted>
        {enforced
          ? t`Members reach the institution only through the provider; Owners also with their password and a second factor.`
          : (missing ?? t`When on, everyone but Owners signs in through the provider only.`)}
      </Muted>
      {asked !== undefined && (
        <ConfirmDialog
          title={asked ? t`Require single sign-on?` : t`Stop requiring single sign-on?`}
          action={asked ? t`Require it` : t`Stop requiring it`}
          disabled={asked && !members}
          consequence={
            asked
              ? members && <Bound members={members} domains={confirmedDomains} />
              : t`Members can sign in with their password again.`
          }
          onConfirm={() =>
            api.PUT("/api/institutions/{institutionId}/sso", {
              ...at({ institutionId }),
              body: { enforced: asked },
            })
          }
          done={asked ? t`Single sign-on is required.` : t`Single sign-on is no longer required.`}
          onClose={() => setAsked(undefined)}
        />
      )}
    </div>
  );
}
