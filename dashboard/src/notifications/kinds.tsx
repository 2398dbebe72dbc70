import BlockIcon from "@mui/icons-material/GppMaybeOutlined";
import DevicesIcon from "@mui/icons-material/DevicesOutlined";
import GroupIcon from "@mui/icons-material/GroupAddOutlined";
import HourglassIcon from "@mui/icons-material/HourglassBottomOutlined";
import EventBusyIcon from "@mui/icons-material/EventBusyOutlined";
import BatteryIcon from "@mui/icons-material/BatteryAlertOutlined";
import WebhookIcon from "@mui/icons-material/WebhookOutlined";
import type { SvgIconComponent } from "@mui/icons-material";
import type { Schemas } from "../api/types";
import type { Notification } from "./stream";

export type Kind = Schemas["Kind"];

interface Told {
  label: string;
  /** When it comes. */
  when: string;
  icon: SvgIconComponent;
  tone: "error" | "warning" | "info";
}

export const KINDS: Record<Kind, Told> = {
  LicenseExpiring: {
    label: "License expiring",
    when: "Some days before the term of a license ends: 30, 7 and 1, unless your institution set others.",
    icon: HourglassIcon,
    tone: "warning",
  },
  LicenseExpired: {
    label: "License expired",
    when: "The term of a license has ended.",
    icon: EventBusyIcon,
    tone: "error",
  },
  DeviceActivated: {
    label: "Device activated",
    when: "A new device uses a license, or waits for your approval.",
    icon: DevicesIcon,
    tone: "info",
  },
  AccessAttempt: {
    label: "Access attempt",
    when: "A foreign machine tried to use a node-locked license. Once a day for each machine.",
    icon: BlockIcon,
    tone: "error",
  },
  LowBalance: {
    label: "Low balance",
    when: "A balance fell to its threshold, or is used up.",
    icon: BatteryIcon,
    tone: "warning",
  },
  WebhookDisabled: {
    label: "Webhook disabled",
    when: "A webhook failed for too long, or its receiver wants no more.",
    icon: WebhookIcon,
    tone: "error",
  },
  Invitation: {
    label: "Invitation",
    when: "You are invited to an institution, or somebody joined yours.",
    icon: GroupIcon,
    tone: "info",
  },
};

export const KIND_NAMES = Object.keys(KINDS) as Kind[];

const LICENSE_TABS: Partial<Record<Kind, string>> = {
  DeviceActivated: "/activations",
  AccessAttempt: "/access-attempts",
  LowBalance: "/meter",
};

/** The page of what a notification is about; null where there is none. */
export function placeOf({ kind, subjectKind, subjectId, institutionId }: Notification) {
  switch (subjectKind) {
    case "License":
      return `/licenses/${subjectId}${LICENSE_TABS[kind] ?? ""}`;
    case "Webhook":
      return `/webhooks/${subjectId}`;
    case "Member":
      return `/institutions/${institutionId}/members`;
    case "Invitation":
      return null; // the link to accept with is in the letter alone
  }
}
