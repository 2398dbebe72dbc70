import { t } from "@lingui/core/macro";
import {
  AddIcon,
  AddPersonIcon,
  ConnectorIcon,
  HistoryIcon,
  PersonIcon,
  ProductIcon,
  WebhookIcon,
} from "../../ui/icons";
import { useCan, useInstitution } from "../../ui/useInstitution";
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
    action(t`New product`, "/products/new", ProductIcon, t`create add`),
    action(
      t`New connector`,
      "/connectors/new",
      ConnectorIcon,
      t`shop stripe paddle sell create add`,
    ),
    action(t`New webhook`, "/webhooks/new", WebhookIcon, t`create add`),
    ...(institutionId
      ? [
          action(
            t`Invite people`,
            `/institutions/${institutionId}/invitations`,
            AddPersonIcon,
            t`member team add`,
          ),
          action(t`Audit log`, `/institutions/${institutionId}/audit`, HistoryIcon, t`history`),
        ]
      : []),
  ];
}

/** Where the user can go. */
export function usePages(): Offer[] {
  const { manage } = useCan();
  const pages = useEntries().flatMap(({ entries }) =>
    entries.map(({ to, label, icon }): Offer => ({ key: to, label, kind: "Page", icon, to })),
  );
  const settings = SETTINGS_TABS.slice(1).map(({ path, label, icon, words }): Offer => {
    const to = `/settings/${path}`;
    return { key: to, label, detail: t`Settings`, kind: "Page", icon, to, words };
  });
  return [
    ...pages,
    ...(manage ? settings : []),
    {
      key: "/profile",
      label: t`Profile and security`,
      kind: "Page",
      icon: PersonIcon,
      to: "/profile",
    },
  ];
}
