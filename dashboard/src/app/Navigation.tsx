import ApartmentIcon from "@mui/icons-material/ApartmentOutlined";
import CustomersIcon from "@mui/icons-material/AccountCircleOutlined";
import BarChartIcon from "@mui/icons-material/BarChartOutlined";
import HelpIcon from "@mui/icons-material/HelpOutlined";
import HomeIcon from "@mui/icons-material/HomeOutlined";
import InventoryIcon from "@mui/icons-material/Inventory2Outlined";
import InboxIcon from "@mui/icons-material/MoveToInboxOutlined";
import AuditIcon from "@mui/icons-material/HistoryOutlined";
import MailIcon from "@mui/icons-material/MailOutlined";
import PeopleIcon from "@mui/icons-material/PeopleOutlined";
import LicenseIcon from "@mui/icons-material/ReceiptLongOutlined";
import SettingsIcon from "@mui/icons-material/TuneOutlined";
import WebhookIcon from "@mui/icons-material/WebhookOutlined";
import type { ReactElement } from "react";
import { Menu } from "react-admin";
import { useCan, useCustomer, type Can } from "../ui/useInstitution";

interface Entry {
  to: string;
  label: string;
  icon: ReactElement;
  shown?: (can: Can) => boolean;
}

const ENTRIES: Entry[] = [
  { to: "/", label: "Home", icon: <HomeIcon /> },
  { to: "/licenses", label: "Licenses", icon: <LicenseIcon /> },
  {
    to: "/received-licenses",
    label: "Received licenses",
    icon: <InboxIcon />,
    shown: (can) => can.role !== "Member",
  },
  {
    to: "/customers",
    label: "Customers",
    icon: <CustomersIcon />,
    shown: (can) => can.isSystemAdmin || (can.role !== null && can.role !== "Member"),
  },
  { to: "/products", label: "Products", icon: <InventoryIcon /> },
  { to: "/statistics", label: "Statistics", icon: <BarChartIcon /> },
  { to: "/webhooks", label: "Webhooks", icon: <WebhookIcon />, shown: (can) => can.manage },
  { to: "/institutions", label: "Institutions", icon: <ApartmentIcon /> },
  { to: "/settings", label: "Settings", icon: <SettingsIcon />, shown: (can) => can.manage },
  { to: "/users", label: "Users", icon: <PeopleIcon />, shown: (can) => can.isSystemAdmin },
  { to: "/mails", label: "Emails", icon: <MailIcon />, shown: (can) => can.isSystemAdmin },
  { to: "/audit", label: "Audit log", icon: <AuditIcon />, shown: (can) => can.isSystemAdmin },
  { to: "/help", label: "Help center", icon: <HelpIcon /> },
];

const FOR_CUSTOMERS: Entry[] = [
  { to: "/portal", label: "My licenses", icon: <LicenseIcon /> },
  { to: "/help", label: "Help center", icon: <HelpIcon /> },
];

/** The main navigation, limited to what the role allows. */
export function Navigation() {
  const can = useCan();
  const entries = useCustomer() ? FOR_CUSTOMERS : ENTRIES;
  return (
    <nav aria-label="Main">
      <Menu>
        {entries
          .filter((entry) => entry.shown?.(can) ?? true)
          .map((entry) => (
            <Menu.Item
              key={entry.to}
              to={entry.to}
              primaryText={entry.label}
              leftIcon={entry.icon}
            />
          ))}
      </Menu>
    </nav>
  );
}
