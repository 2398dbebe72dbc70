import { t } from "@lingui/core/macro";
import {
  HistoryIcon,
  KeyIcon,
  MailIcon,
  PeopleIcon,
  SettingsIcon,
  WebhookIcon,
  type Icon,
} from "../../ui/icons";

export interface SettingsTab {
  /** Path below the settings of an institution. */
  path: string;
  label: string;
  icon: Icon;
  /** Other words that it is looked for by. */
  words: string;
}

/** What the settings of an institution consist of. */
export const SETTINGS_TABS = [
  {
    path: "",
    label: t`General`,
    icon: SettingsIcon,
    words: t`name rate limits reminders telemetry retention delete institution`,
  },
  {
    path: "team",
    label: t`Team`,
    icon: PeopleIcon,
    words: t`members people roles access invitations invite add`,
  },
  {
    path: "appearance",
    label: t`Appearance`,
    icon: SettingsIcon,
    words: t`logo color portal support brand`,
  },
  {
    path: "sign-in",
    label: t`Sign-in`,
    icon: SettingsIcon,
    words: t`second factor single sign-on identity provider SSO allowed addresses IP`,
  },
  {
    path: "emails",
    label: t`Emails`,
    icon: MailIcon,
    words: t`email templates mail text sender language`,
  },
  { path: "api-keys", label: t`API keys`, icon: KeyIcon, words: t`new create token` },
  { path: "webhooks", label: t`Webhooks`, icon: WebhookIcon, words: t`events endpoint deliveries` },
  { path: "audit", label: t`Audit log`, icon: HistoryIcon, words: t`history who changed what` },
  { path: "plan", label: t`Plan`, icon: SettingsIcon, words: t`limits products licenses use` },
] as const satisfies readonly SettingsTab[];

export type SettingsPath = (typeof SETTINGS_TABS)[number]["path"];

/** Parts that stand on another's page now; links outside may still lead to them. */
export const MOVED_TABS: Partial<Record<string, SettingsPath>> = {
  members: "team",
  invitations: "team",
};
