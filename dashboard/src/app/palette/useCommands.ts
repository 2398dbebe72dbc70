import {
  AddIcon,
  AddPersonIcon,
  ConnectorIcon,
  HistoryIcon,
  KeyIcon,
  PersonIcon,
  ProductIcon,
  WebhookIcon,
} from "../../ui/icons";
import { useCan, useInstitution } from "../../ui/useInstitution";
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
    action("Issue license", "/licenses/new", AddIcon, "new create sell"),
    action("New product", "/products/new", ProductIcon, "create add"),
    action("New connector", "/connectors/new", ConnectorIcon, "shop stripe paddle sell create add"),
    action("New webhook", "/webhooks/new", WebhookIcon, "create add"),
    action("API keys", "/settings/api-keys", KeyIcon, "new create token"),
    ...(institutionId
      ? [
          action(
            "Invite people",
            `/institutions/${institutionId}/invitations`,
            AddPersonIcon,
            "member team add",
          ),
          action("Audit log", `/institutions/${institutionId}/audit`, HistoryIcon, "history"),
        ]
      : []),
  ];
}

/** Where the user can go. */
export function usePages(): Offer[] {
  const pages = useEntries().flatMap(({ entries }) =>
    entries.map(({ to, label, icon }): Offer => ({ key: to, label, kind: "Page", icon, to })),
  );
  return [
    ...pages,
    {
      key: "/profile",
      label: "Profile and security",
      kind: "Page",
      icon: PersonIcon,
      to: "/profile",
    },
  ];
}
