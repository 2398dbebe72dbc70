import { keepPreviousData } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { $api } from "../../api/client";
import {
  AddIcon,
  AddPersonIcon,
  HelpIcon,
  HistoryIcon,
  KeyIcon,
  LicenseIcon,
  PersonIcon,
  ProductIcon,
  WebhookIcon,
} from "../../ui/icons";
import { HELP_TOPICS } from "../../ui/helpTopics";
import { MODEL_LABELS, words } from "../../ui/labels";
import { useCan, useInstitution } from "../../ui/useInstitution";
import { useEntries } from "../shell/entries";
import { fitting, type Offer, type Section } from "./found";
import { recentThings } from "./recent";

const PAUSE_MS = 120;
const SHOWN = 5;

/** The text once the user stops typing. */
function useSettled(text: string): string {
  const [settled, setSettled] = useState(text);
  useEffect(() => {
    const timer = setTimeout(setSettled, PAUSE_MS, text);
    return () => {
      clearTimeout(timer);
    };
  }, [text]);
  return settled;
}

function useActions(): Offer[] {
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

function usePages(): Offer[] {
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

const HELP: readonly Offer[] = HELP_TOPICS.map((topic) => ({
  key: `help ${topic}`,
  label: words(topic.replaceAll("-", "_")),
  kind: "Help",
  icon: HelpIcon,
  to: `/help/${topic}`,
}));

/** Licenses and products that the server finds. */
function useThings(text: string): { offers: Offer[]; isBusy: boolean } {
  const { institutionId } = useInstitution();
  const search = useSettled(text.trim());
  const options = {
    enabled: search !== "" && institutionId !== undefined,
    placeholderData: keepPreviousData,
  };
  const query = { institutionId: institutionId ?? null, search, pageSize: SHOWN };
  const licenses = $api.useQuery("get", "/api/licenses", { params: { query } }, options);
  const products = $api.useQuery("get", "/api/products", { params: { query } }, options);
  if (!search) return { offers: [], isBusy: text.trim() !== "" };
  return {
    isBusy: licenses.isFetching || products.isFetching || search !== text.trim(),
    offers: [
      ...(licenses.data?.items ?? []).map((license) => ({
        key: license.id,
        label: license.licenseName,
        detail: [license.productName, MODEL_LABELS[license.type], license.issuedTo]
          .filter(Boolean)
          .join(" · "),
        kind: "License",
        icon: LicenseIcon,
        to: `/licenses/${license.id}`,
      })),
      ...(products.data?.items ?? []).map((product) => ({
        key: product.id,
        label: product.name,
        kind: "Product",
        icon: ProductIcon,
        to: `/products/${product.id}`,
      })),
    ],
  };
}

const ICONS: Record<string, Offer["icon"]> = {
  License: LicenseIcon,
  Product: ProductIcon,
  Help: HelpIcon,
};

/** What the palette offers for a text; without one what was opened last, actions and pages. */
export function useOffers(text: string): { sections: Section[]; isBusy: boolean } {
  const actions = useActions();
  const pages = usePages();
  const things = useThings(text);
  if (!text.trim()) {
    const recent = recentThings().map((one) => ({ ...one, icon: ICONS[one.kind] ?? HistoryIcon }));
    return {
      isBusy: false,
      sections: [
        { title: "Recent", offers: recent },
        { title: "Actions", offers: actions },
        { title: "Pages", offers: pages },
      ].filter(({ offers }) => offers.length > 0),
    };
  }
  return {
    isBusy: things.isBusy,
    sections: [
      { title: "Found", offers: things.offers },
      { title: "Actions", offers: fitting(actions, text).slice(0, SHOWN) },
      { title: "Pages", offers: fitting(pages, text).slice(0, SHOWN) },
      { title: "Help", offers: fitting(HELP, text).slice(0, SHOWN) },
    ].filter(({ offers }) => offers.length > 0),
  };
}
