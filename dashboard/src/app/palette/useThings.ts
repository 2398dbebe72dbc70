import { t } from "@lingui/core/macro";
import { keepPreviousData } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { $api } from "../../api/client";
import type { Schemas } from "../../api/types";
import {
  CustomerIcon,
  DevicesIcon,
  LicenseIcon,
  OrderIcon,
  ProductIcon,
  ReleaseIcon,
  type Icon,
} from "../../ui/icons";
import { useCan, useInstitution } from "../../ui/useInstitution";
import { useEntries } from "../shell/entries";
import { plain, type Offer, type Section, type Thing } from "./found";
import { actOffers, verbOf, whichOf } from "./licenseActs";
import { beginningsOf, isMeant } from "./typos";

export type Hit = Schemas["SearchHit"];
type Group = Schemas["SearchGroup"];

interface Kind {
  title: string;
  icon: Icon;
  pathOf: (hit: Hit) => string;
}

/** The kinds of things that the server finds. */
export const KINDS: Record<Hit["kind"], Kind> = {
  License: { title: t`Licenses`, icon: LicenseIcon, pathOf: ({ id }) => `/licenses/${id}` },
  Customer: { title: t`Customers`, icon: CustomerIcon, pathOf: ({ id }) => `/customers/${id}` },
  Product: { title: t`Products`, icon: ProductIcon, pathOf: ({ id }) => `/products/${id}` },
  Release: {
    title: t`Releases`,
    icon: ReleaseIcon,
    pathOf: ({ id, productId }) => `/products/${productId ?? ""}/releases/${id}`,
  },
  Device: {
    title: t`Devices`,
    icon: DevicesIcon,
    pathOf: ({ licenseId }) => `/licenses/${licenseId ?? ""}/activations`,
  },
};

const PAUSE_MS = 120;

/** The text once the user stops typing. */
function useSettled(text: string): string {
  const [settled, setSettled] = useState(text);
  useEffect(() => {
    const timer = setTimeout(setSettled, PAUSE_MS, text);
    return () => clearTimeout(timer);
  }, [text]);
  return settled;
}

function offerOf(hit: Hit): Offer {
  const { icon, pathOf } = KINDS[hit.kind];
  const former = hit.formerKey && t`Former key`;
  const detail = [former, hit.licenseName, hit.productName, hit.detail].filter(Boolean).join(" · ");
  return {
    key: hit.id,
    label: hit.title,
    kind: hit.kind,
    icon,
    to: pathOf(hit),
    ...(detail && { detail }),
    ...(hit.status && { status: hit.status }),
    ...(isThing(hit) && { thing: hit }),
  };
}

const isThing = (hit: Hit): hit is Hit & Thing => hit.kind !== "Release";

/** What the server finds of the current institution; nothing is asked without a text. */
function useFound(q: string) {
  const { institutionId } = useInstitution();
  return $api.useQuery(
    "get",
    "/api/search",
    { params: { query: { q, institutionId: institutionId ?? null } } },
    { enabled: q !== "" && institutionId !== undefined, placeholderData: keepPreviousData },
  );
}

const ORDERS = 4;

/** The orders whose number or address begins so, for those who see orders. */
function useOrders(q: string) {
  const { institutionId } = useInstitution();
  const mayRead = useEntries().some(({ entries }) => entries.some(({ to }) => to === "/orders"));
  const { data, isFetching } = $api.useQuery(
    "get",
    "/api/orders",
    { params: { query: { search: q, institutionId: institutionId ?? null, pageSize: ORDERS } } },
    {
      enabled: mayRead && q !== "" && institutionId !== undefined,
      placeholderData: keepPreviousData,
    },
  );
  const offers = (data?.items ?? []).map(
    ({ id, externalId, customerName, email, status }): Offer => ({
      key: id,
      label: externalId,
      kind: "Order",
      icon: OrderIcon,
      to: `/orders/${id}`,
      status,
      detail: customerName ?? email ?? "",
    }),
  );
  return { offers, isFetching };
}

/** Whether each word that was typed is meant by a word of the hit. */
function isLike(text: string, { title, detail, productName }: Hit): boolean {
  const words = plain([title, detail, productName].filter(Boolean).join(" ")).split(
    /[^\p{L}\p{N}]+/u,
  );
  return plain(text)
    .split(/\s+/)
    .every((typed) => words.some((word) => word.startsWith(typed) || isMeant(typed, word)));
}

const likely = (groups: readonly Group[], text: string): Group[] =>
  groups
    .map((group) => ({ ...group, items: group.items.filter((hit) => isLike(text, hit)) }))
    .filter(({ items }) => items.length > 0);

/**
 * What the server finds, the kind with the best hit first: what is called so, else what may have
 * been meant; and what can be done to the licenses that are named after a verb.
 */
export function useThings(text: string): { sections: Section[]; isBusy: boolean } {
  const { manage } = useCan();
  const q = useSettled(text.trim());
  const verb = manage ? verbOf(q) : undefined;
  const found = useFound(q);
  const named = useFound(verb?.rest ?? "");
  const orders = useOrders(q);
  const groups = found.data?.groups ?? [];
  const isNothing = q !== "" && !found.isFetching && groups.length === 0;
  const meant = useFound(isNothing ? beginningsOf(q) : "");
  // A product is found by the beginning of its whole name, in which the slip may be a later word.
  const [first = ""] = q.split(/\s+/);
  const isNeither = isNothing && !meant.isFetching && !meant.data?.groups.length;
  const begun = useFound(isNeither && first !== q ? beginningsOf(first) : "");
  if (!text.trim()) return { sections: [], isBusy: false };
  const similar = [...(meant.data?.groups ?? []), ...(begun.data?.groups ?? [])];
  const shown = isNothing ? likely(similar, q) : groups;
  const licenses = (verb ? (named.data?.groups ?? []) : [])
    .filter(({ kind }) => kind === "License")
    .flatMap(({ items }) => items);
  return {
    isBusy:
      q !== text.trim() ||
      [found, named, meant, begun, orders].some(({ isFetching }) => isFetching),
    sections: [
      {
        title: t`Do it`,
        offers: !verb ? [] : verb.rest ? actOffers(verb, licenses) : [whichOf(verb)],
      },
      ...shown.map(({ kind, items }) => ({
        title: KINDS[kind].title,
        offers: items.map(offerOf),
      })),
      { title: t`Orders`, offers: orders.offers },
    ],
  };
}
