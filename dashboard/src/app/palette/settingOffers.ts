import { t } from "@lingui/core/macro";
import { type Icon, PersonIcon, SettingsIcon } from "../../ui/icons";
import { SETTINGS_TABS, type SettingsPath } from "../settings/tabs";
import type { Offer } from "./found";

/** A setting by its name, and other words that it is looked for by. */
type Setting = readonly [label: string, words?: string];

/** What is set in the tabs of the settings. */
const IN_TABS: Partial<Record<SettingsPath, readonly Setting[]>> = {
  "": [
    [t`Time zone`, t`timezone clock`],
    [t`Expiry reminders`, t`remind days`],
    [t`Telemetry retention`],
    [t`Rate limits`, t`requests per minute throttle`],
    [t`Delete institution`],
  ],
  appearance: [
    [t`Logo`, t`image brand`],
    [t`Color`, t`accent buttons brand`],
    [t`Support email`, t`contact`],
    [t`Renewal page`],
    [t({ message: "Welcome", context: "text" }), t`greeting portal`],
  ],
  "sign-in": [
    [t`Require a second factor`, t`two-factor 2FA MFA`],
    [t`Single sign-on`, t`SSO identity provider`],
    [t`Allowed addresses`, t`IP allowlist`],
  ],
  emails: [
    [t`Sender`, t`from name`],
    [t`Replies to`, t`reply-to`],
  ],
};

/** What everybody sets for themselves, by the path of its tab in the profile. */
const IN_PROFILE: Readonly<Record<string, readonly Setting[]>> = {
  "": [[t`Language`]],
  "/password": [[t`Change password`, t`new`]],
  "/second-factor": [
    [t`Authenticator app`, t`two-factor 2FA MFA second factor`],
    [t`Passkeys`, t`security key fingerprint`],
  ],
  "/sessions": [[t`Where you are signed in`, t`devices browsers`]],
};

const offersOf = (settings: readonly Setting[], to: string, detail: string, icon: Icon): Offer[] =>
  settings.map(([label, words = ""]) => ({
    key: `setting ${label}`,
    label,
    detail,
    kind: "Setting",
    icon,
    to,
    words,
  }));

/** The settings of the institution by their names, each leading to the tab that it stands in. */
export const SETTINGS: readonly Offer[] = SETTINGS_TABS.flatMap(({ path, label }) =>
  offersOf(
    IN_TABS[path] ?? [],
    `/settings${path && `/${path}`}`,
    [t`Settings`, label].join(" · "),
    SettingsIcon,
  ),
);

/** The same of the user's own. */
export const OWN_SETTINGS: readonly Offer[] = Object.entries(IN_PROFILE).flatMap(
  ([path, settings]) => offersOf(settings, `/profile${path}`, t`Profile and security`, PersonIcon),
);
