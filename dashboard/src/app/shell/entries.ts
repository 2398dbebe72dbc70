import { t } from "@lingui/core/macro";
import {
  ConnectorIcon,
  DoctorIcon,
  CustomerIcon,
  HelpIcon,
  HistoryIcon,
  HomeIcon,
  InboxIcon,
  InstitutionIcon,
  LicenseIcon,
  MailIcon,
  OrderIcon,
  PeopleIcon,
  ProductIcon,
  SettingsIcon,
  StatisticsIcon,
  type Icon,
} from "../../ui/icons";
import { useEffect } from "react";
import { $api } from "../../api/client";
import {
  type Can,
  useCan,
  useCustomer,
  useInstitution,
  useIsShutOut,
} from "../../ui/useInstitution";
import { useStored } from "../../ui/useStored";

export interface Entry {
  to: string;
  label: string;
  icon: Icon;
  /** The second key after `g`. */
  key?: string;
  shown?: (can: Can, receives: boolean) => boolean;
}

export interface Group {
  /** Of a group that is folded, if it is of several: what is needed seldom. */
  label?: string;
  entries: readonly Entry[];
}

const isAdmin = (can: Can) => can.isSystemAdmin;
const manages = (can: Can) => can.manage;
const seesCustomers = (can: Can) => can.isSystemAdmin || (can.role ?? "Member") !== "Member";

const GROUPS: readonly Group[] = [
  {
    entries: [
      { to: "/", label: t`Home`, icon: HomeIcon, key: "h" },
      { to: "/licenses", label: t`Licenses`, icon: LicenseIcon, key: "l" },
      { to: "/customers", label: t`Customers`, icon: CustomerIcon, key: "c", shown: seesCustomers },
      { to: "/orders", label: t`Orders`, icon: OrderIcon, key: "o", shown: seesCustomers },
      { to: "/connectors", label: t`Connectors`, icon: ConnectorIcon, key: "n", shown: manages },
      { to: "/products", label: t`Products`, icon: ProductIcon, key: "p" },
      { to: "/statistics", label: t`Statistics`, icon: StatisticsIcon, key: "s" },
      {
        to: "/received-licenses",
        label: t`Received licenses`,
        icon: InboxIcon,
        key: "r",
        shown: (_, receives) => receives,
      },
    ],
  },
  {
    entries: [
      { to: "/settings", label: t`Settings`, icon: SettingsIcon, key: "e", shown: manages },
    ],
  },
  {
    label: t`Service`,
    entries: [
      { to: "/institutions", label: t`Institutions`, icon: InstitutionIcon, key: "i" },
      { to: "/users", label: t`Users`, icon: PeopleIcon, key: "u", shown: isAdmin },
      {
        to: "/mails",
        label: t`Emails of the service`,
        icon: MailIcon,
        key: "m",
        shown: isAdmin,
      },
      { to: "/doctor", label: t`Doctor`, icon: DoctorIcon, key: "d", shown: isAdmin },
      {
        to: "/audit",
        label: t`Audit log of the service`,
        icon: HistoryIcon,
        key: "a",
        shown: isAdmin,
      },
    ],
  },
  { entries: [{ to: "/help", label: t`Help center`, icon: HelpIcon, key: "?" }] },
];

const FOR_CUSTOMERS: readonly Group[] = [
  {
    entries: [
      { to: "/portal", label: t`My licenses`, icon: LicenseIcon },
      { to: "/help", label: t`Help center`, icon: HelpIcon },
    ],
  },
];

const UNKNOWN: Partial<Record<string, boolean>> = {};
const HALF_AN_HOUR_MS = 1_800_000;

/** Whether vendors license something to the institution; as it was last time until that is known. */
function useReceives({ role }: Can): boolean {
  const { institutionId } = useInstitution();
  const [known, keep] = useStored("receives", UNKNOWN);
  const isShutOut = useIsShutOut();
  const id = institutionId ?? "";
  const { data } = $api.useQuery(
    "get",
    "/api/associations",
    { params: { query: { institutionId: id, pageSize: 1 } } },
    {
      enabled: id !== "" && !isShutOut && role !== null && role !== "Member",
      staleTime: HALF_AN_HOUR_MS,
    },
  );
  const receives = data && data.items.length > 0;
  useEffect(() => {
    if (receives !== undefined && receives !== (known[id] ?? false))
      keep({ ...known, [id]: receives });
  }, [receives, known, keep, id]);
  return receives ?? known[id] ?? false;
}

interface KeptMenu {
  /** Of the institution. */
  name: string;
  /** The entries, each by where it leads. */
  places: readonly string[];
}

const NO_MENU: KeptMenu = { name: "", places: [] };

/** The menu as it was last time, shown until it is known who the user is, so that nothing moves then. */
export const useKeptMenu = () => useStored("menu", NO_MENU);

const limited = (groups: readonly Group[], isShown: (entry: Entry) => boolean): Group[] =>
  groups
    .map((group) => ({ ...group, entries: group.entries.filter(isShown) }))
    .filter((group) => group.entries.length > 0);

/** The groups of the main navigation, limited to what the role allows. */
export function useEntries(): Group[] {
  const can = useCan();
  const receives = useReceives(can);
  const { profile, institutionName: name } = useInstitution();
  const isCustomer = useCustomer();
  const [kept, keep] = useKeptMenu();
  const isRemembered = !profile && kept.places.length > 0;
  const groups = limited(isCustomer ? FOR_CUSTOMERS : GROUPS, (one) =>
    isRemembered ? kept.places.includes(one.to) : (one.shown?.(can, receives) ?? true),
  );
  const places = groups.flatMap(({ entries }) => entries.map(({ to }) => to));
  const isKept = kept.name === name && kept.places.join() === places.join();
  useEffect(() => {
    if (profile && !isCustomer && !isKept) keep({ name, places });
  });
  return groups;
}
