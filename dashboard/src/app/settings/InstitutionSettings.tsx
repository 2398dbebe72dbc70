import { t } from "@lingui/core/macro";
import Skeleton from "@mui/material/Skeleton";
import type { Theme } from "@mui/material/styles";
import useMediaQuery from "@mui/material/useMediaQuery";
import type { ReactNode } from "react";
import { $api, at } from "../../api/client";
import type { Institution } from "../../api/types";
import { InstitutionProblem } from "../../institutions/parts/InstitutionProblem";
import { AuditTab } from "../../institutions/audit/AuditLog";
import { PlanTab } from "../../institutions/plan/PlanTab";
import { AppearanceForm } from "../../institutions/settings/AppearanceForm";
import { GeneralTab } from "../../institutions/settings/GeneralTab";
import { SignInTab } from "../../institutions/settings/SignInTab";
import { TeamTab } from "../../institutions/team/TeamTab";
import { ApiKeysTab } from "../../keys/ApiKeysTab";
import { EmailTemplates } from "../../products/emails/EmailsTab";
import { Column } from "../../ui/layout/layout";
import { Page } from "../../ui/Page";
import { RouteTabs, type RouteTab } from "../../ui/RouteTabs";
import { TabHeading } from "../../ui/Section";
import { settingsPath } from "../../ui/paths";
import { type Can, useCan, useInstitution } from "../../ui/useInstitution";
import { WebhooksTab } from "../../webhooks/WebhooksTab";
import { SETTINGS_TABS, type SettingsPath } from "./tabs";

/** What those see who do not manage the institution; to Members, of its plan only their part is known. */
const readable = ({ role }: Can): readonly SettingsPath[] =>
  role === "Member" ? ["", "team"] : ["", "team", "plan"];
/** Who may not manage these is told so, also by an old link. */
const EXPLAINED: readonly SettingsPath[] = ["api-keys", "webhooks"];

/** The settings and the team of an institution, with a tab for each area: a list at the left where there is room. */
export function InstitutionSettings({ institutionId }: { institutionId: string }) {
  const isCurrent = useInstitution().institutionId === institutionId;
  const { data: institution, error } = $api.useQuery(
    "get",
    "/api/institutions/{institutionId}",
    at({ institutionId }),
  );
  const elsewhere = {
    to: `/institutions/${institutionId}`,
    label: institution?.name ?? t`Institution`,
  };
  return (
    <Page
      title={t`Settings`}
      subtitle={isCurrent && institution && <bdi>{institution.name}</bdi>}
      {...(!isCurrent && { back: elsewhere })}
    >
      {error ? (
        <InstitutionProblem institutionId={institutionId} error={error} />
      ) : institution ? (
        <Tabs
          base={isCurrent ? "/settings" : settingsPath(institutionId)}
          institution={institution}
        />
      ) : (
        <Skeleton variant="rounded" height={420} />
      )}
    </Page>
  );
}

const Sections = ({ children }: { children: ReactNode }) => <Column gap="l">{children}</Column>;

function Tabs({ base, institution }: { base: string; institution: Institution }) {
  const { id } = institution;
  const can = useCan(id);
  const elements: Record<SettingsPath, ReactNode> = {
    "": (
      <Sections>
        <GeneralTab institution={institution} can={can} />
      </Sections>
    ),
    team: <TeamTab institutionId={id} can={can} />,
    audit: (
      <>
        <TabHeading title={t`Audit log`} help="audit-log">
          {t`Who changed what, when and from where.`}
        </TabHeading>
        <AuditTab institutionId={id} can={can} />
      </>
    ),
    appearance: (
      <Sections>
        <AppearanceForm institutionId={id} />
      </Sections>
    ),
    "sign-in": (
      <Sections>
        <SignInTab institution={institution} can={can} />
      </Sections>
    ),
    emails: (
      <EmailTemplates owner={{ institutionId: id }} manage={can.manage}>
        {t`Emails about licenses to the customers of all your products. A product can have its own texts. Each text sets its sender name; the sender address is that of the service.`}
      </EmailTemplates>
    ),
    "api-keys": <ApiKeysTab institutionId={id} />,
    webhooks: <WebhooksTab institutionId={id} />,
    plan: (
      <Sections>
        <PlanTab institution={institution} can={can} />
      </Sections>
    ),
  };
  const tabs: RouteTab[] = SETTINGS_TABS.filter(
    ({ path }) => can.manage || readable(can).includes(path) || EXPLAINED.includes(path),
  ).map(({ path, label }) => ({
    path,
    label,
    element: elements[path],
    isUnlisted: !can.manage && !readable(can).includes(path),
  }));
  const isWide = useMediaQuery((theme: Theme) => theme.breakpoints.up("md"));
  return (
    <RouteTabs
      base={base}
      label={t`Settings`}
      tabs={tabs}
      orientation={isWide ? "vertical" : "horizontal"}
    />
  );
}
