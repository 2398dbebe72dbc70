import { t } from "@lingui/core/macro";
import {
  AddPersonIcon,
  BatteryIcon,
  DevicesIcon,
  ExpiryIcon,
  HourglassIcon,
  IntrusionIcon,
  UndeliveredIcon,
  WebhookIcon,
  type Icon,
} from "../ui/icons";
import { settingsPath } from "../ui/paths";
import type { Schemas } from "../api/types";
import type { Notification } from "./NotificationStream";

export type Kind = Schemas["NotificationKind"];

interface KindInfo {
  label: string;
  /** When it is sent. */
  when: string;
  icon: Icon;
  tone: "error" | "warning" | "info";
}

export const KINDS: Record<Kind, KindInfo> = {
  LicenseExpiring: {
    label: t`License expiring`,
    when: t`A license expires soon: 30, 7 and 1 days before, unless your institution has set other days.`,
    icon: HourglassIcon,
    tone: "warning",
  },
  LicenseExpired: {
    label: t`License expired`,
    when: t`A license has expired.`,
    icon: ExpiryIcon,
    tone: "error",
  },
  DeviceActivated: {
    label: t`Device activated`,
    when: t`A new device uses a license or is waiting for your approval.`,
    icon: DevicesIcon,
    tone: "info",
  },
  AccessAttempt: {
    label: t`Access attempt`,
    when: t`Another device tried to use a node-locked license. At most once a day per device.`,
    icon: IntrusionIcon,
    tone: "error",
  },
  LowBalance: {
    label: t`Low balance`,
    when: t`A balance has reached its threshold or is used up.`,
    icon: BatteryIcon,
    tone: "warning",
  },
  WebhookDisabled: {
    label: t`Webhook disabled`,
    when: t`A webhook failed for too long, or its receiver asked to stop.`,
    icon: WebhookIcon,
    tone: "error",
  },
  ConnectorRejected: {
    label: t`Messages of a shop rejected`,
    when: t`A connector rejected three messages in a row. Once, until it accepts one.`,
    icon: WebhookIcon,
    tone: "error",
  },
  MailFailed: {
    label: t`Email failed`,
    when: t`An email to a customer could not be delivered.`,
    icon: UndeliveredIcon,
    tone: "error",
  },
  Invitation: {
    label: t`Invitation`,
    when: t`You are invited to an institution or someone joined yours, or an institution was invited to receive licenses.`,
    icon: AddPersonIcon,
    tone: "info",
  },
};

export const KIND_NAMES = Object.keys(KINDS) as Kind[];

const LICENSE_TABS: Partial<Record<Kind, string>> = {
  DeviceActivated: "/activations",
  AccessAttempt: "/access-attempts",
  LowBalance: "/meter",
};

/** The page of a notification's subject; null if there is none. */
export function linkOf(notification: Notification) {
  const { kind, subjectKind, subjectId, institutionId, productId } = notification;
  switch (subjectKind) {
    case "License":
      return `/licenses/${subjectId}${LICENSE_TABS[kind] ?? ""}`;
    case "Connector":
      return `/connectors/${subjectId}`;
    case "Webhook":
      return `/webhooks/${subjectId}`;
    case "Member":
      return settingsPath(institutionId, "team");
    case "Association":
      return productId ? `/products/${productId}/associations` : "/received-licenses";
    case "Invitation":
      return null; // only the email contains the link to accept
  }
}
