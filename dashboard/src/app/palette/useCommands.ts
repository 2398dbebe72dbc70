import { i18n } from "@lingui/core";
import { t } from "@lingui/core/macro";
import {
  AddIcon,
  AddPersonIcon,
  ConnectorIcon,
  HelpIcon,
  LanguageIcon,
  LicenseIcon,
  MoonIcon,
  PersonIcon,
  ProductIcon,
  SignOutIcon,
  StatisticsIcon,
  SunIcon,
  WebhookIcon,
} from "../../ui/icons";
import { chooseLocale, type Locale, LOCALES } from "../../ui/locale/locale";
import { leave } from "../../ui/signOut";
import { useMode } from "../../ui/theme/mode";
import { BUILT_IN_VIEWS } from "../../licenses/list/useLicenseList";
import { useCan, useCustomer, useInstitution } from "../../ui/useInstitution";
import { STATISTICS_TABS } from "../../statistics/tabs";
import { SETTINGS_TABS } from "../settings/tabs";
import { useEntries } from "../shell/entries";
import type { Offer } from "./found";

/** What the user can do from anywhere. */
export function useActions(): Offer[] {
  const can = useCan();
  const { institutionId } = useInstitution();
  const action = (label: string, to: string, icon = AddIcon, also = ""): Offer => ({
    key: `action ${to}`,
    label,
    kind: "Action",
    icon,
    to,
    words: also,
  });
  if (!can.manage) return [];
  return [
    action(t`Issue license`, "/licenses/new", AddIcon, t`new create sell`),
    action(t`Import licenses`, "/licenses/import", AddIcon, "csv"),
    action(t`Add customer`, "/customers?act=add", AddPersonIcon, t`new create`),
    action(t`New product`, "/products/new", ProductIcon, t`create add`),
    action(
      t`New connector`,
      "/connectors/new",
      ConnectorIcon,
      t`shop stripe paddle sell create add rule`,
    ),
    action(t`New webhook`, "/webhooks/new", WebhookIcon, t`create add`),
    ...(institutionId
      ? [
          action(
            t`Invite people`,
            "/settings/team?act=invite",
            AddPersonIcon,
            t`member team add employee colleague staff`,
          ),
        ]
      : []),
  ];
}

/** What the dashboard itself does; `onShortcuts` shows its keys. */
export function useCommands(onShortcuts: () => void): Offer[] {
  const { theme, choose } = useMode();
  const isDark = theme === "dark";
  const others = (Object.keys(LOCALES) as Locale[]).filter((one) => one !== i18n.locale);
  const command = (key: string, rest: Omit<Offer, "key" | "kind">): Offer => ({
    key: `command ${key}`,
    kind: "Action",
    ...rest,
  });
  return [
    command("theme", {
      label: isDark ? t`Use the light theme` : t`Use the dark theme`,
      icon: isDark ? SunIcon : MoonIcon,
      to: () => choose(isDark ? "light" : "dark"),
      words: t`mode color appearance`,
    }),
    ...others.map((one) =>
      command(`language ${one}`, {
        label: LOCALES[one],
        icon: LanguageIcon,
        to: () => chooseLocale(one),
        words: t`language English German`,
      }),
    ),
    command("shortcuts", {
      label: t`Keyboard shortcuts`,
      icon: HelpIcon,
      to: onShortcuts,
      words: t`keys hotkeys`,
    }),
    command("sign out", {
      label: t`Sign out`,
      icon: SignOutIcon,
      to: () => void leave(),
      words: t`log out logout leave`,
    }),
  ];
}

/** What pages are looked for by besides their names. */
const WORDS: Partial<Record<string, string>> = {
  "/": t`needs attention waiting approve expiring shared keys access attempts full licenses pools seats`,
  "/licenses": t`export CSV keys`,
  "/customers": t`export CSV people`,
  "/orders": t`export CSV sales payments refunds chargebacks disputes unpaid unmatched`,
  "/connectors": t`rule rules shop Stripe Paddle price`,
};

const [ALL, ...VIEWS] = BUILT_IN_VIEWS;

/** The views of the list of licenses that everybody has. */
const LICENSE_VIEWS: readonly Offer[] = VIEWS.map(({ label, filter, sort }) => {
  const query = new URLSearchParams({ ...filter, ...(sort !== ALL?.sort && { sort }) });
  const to = `/licenses?${query.toString()}`;
  const words = filter["expiringWithin"] ? t`extend renew ending ends` : "";
  const name = t`Licenses: ${{ view: label }}`;
  return { key: to, label: name, kind: "Page", icon: LicenseIcon, to, words };
});

/** Where the user can go. */
export function usePages(): Offer[] {
  const { manage } = useCan();
  const customer = useCustomer();
  const pages = useEntries().flatMap(({ entries }) =>
    entries.map(({ to, label, icon }): Offer => {
      const words = WORDS[to];
      return { key: to, label, kind: "Page", icon, to, ...(words && { words }) };
    }),
  );
  const settings = SETTINGS_TABS.slice(1).map(({ path, label, icon, words }): Offer => {
    const to = `/settings/${path}`;
    return { key: to, label, detail: t`Settings`, kind: "Page", icon, to, words };
  });
  const statistics = STATISTICS_TABS.slice(1).map(({ path, label, words }): Offer => {
    const to = `/statistics/${path}`;
    return {
      key: to,
      label,
      detail: t`Statistics`,
      kind: "Page",
      icon: StatisticsIcon,
      to,
      words,
    };
  });
  return [
    ...pages,
    ...(customer ? [] : LICENSE_VIEWS),
    ...(customer ? [] : statistics),
    ...(manage ? settings : []),
    {
      key: "/profile",
      label: t`Profile and security`,
      kind: "Page",
      icon: PersonIcon,
      to: "/profile",
      words: t`2FA two-factor second factor passkey password account`,
    },
  ];
}
