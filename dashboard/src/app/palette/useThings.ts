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
import { productIn, wishOf, wishOffers } from "./issueWish";
import { actOffers, verbOf, whichOf } from "./licenseActs";
import { linkReceiverIn, sendLinkTo, useIdOf } from "./useInView";
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
    ...emblemOf(hit),
    ...(detail && { detail }),
    ...(hit.status && { status: hit.status }),
    ...(isThing(hit) && { thing: hit }),
  };
}

/** A license looks like its product. */
function emblemOf({ kind, title, productName }: Hit): Pick<Offer, "emblem"> {
  if (kind === "Customer") return { emblem: { kind: "person", name: title } };
  const name = kind === "Product" ? title : kind === "License" ? productName : null;
  return name ? { emblem: { kind: "product", name } } : {};
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
      ...(status === "Unmatched" && {
        thing: { kind: "Order", id, licenseId: null, title: externalId, status },
      }),
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

/** The licenses with a balance whose name, address or key begins so. */
function useMetered(search: string) {
  const { institutionId } = useInstitution();
  const of = (type: "MeteredToken" | "MeteredCount") => ({
    params: {
      query: { search, type, institutionId: institutionId ?? null, pageSize: ORDERS },
    },
  });
  const options = { enabled: search !== "" && institutionId !== undefined };
  const credits = $api.useQuery("get", "/api/licenses", of("MeteredToken"), options);
  const uses = $api.useQuery("get", "/api/licenses", of("MeteredCount"), options);
  const hits = [...(credits.data?.items ?? []), ...(uses.data?.items ?? [])].map(
    ({ id, licenseName: title, issuedTo: detail, status }) => ({ id, title, detail, status }),
  );
  return { hits, isFetching: credits.isFetching || uses.isFetching };
}

const NAMED: readonly Hit["kind"][] = ["License", "Customer", "Product"];

/** What is called so and no more before what is called so and more; else as the server has it. */
const inOrder = (hits: readonly Hit[]): Hit[] =>
  hits.toSorted((one, other) =>
    one.match === other.match && NAMED.includes(one.kind)
      ? one.title.length - other.title.length
      : 0,
  );

/** What is offered to a text that asks to issue a license. */
function useWish(text: string) {
  const { institutionId } = useInstitution();
  const wish = wishOf(text);
  const query = { institutionId: institutionId ?? null, search: "", sort: "name", pageSize: 25 };
  const products = $api.useQuery(
    "get",
    "/api/products",
    { params: { query } },
    { enabled: wish !== undefined && institutionId !== undefined, staleTime: 60_000 },
  );
  const known = products.data?.items ?? [];
  const inView = useIdOf("/products/:id/*");
  const named = useFound(wish && products.data ? productIn(wish.rest, known).others : "");
  const customers = (named.data?.groups ?? [])
    .filter(({ kind }) => kind === "Customer")
    .flatMap(({ items }) => items);
  return {
    offers: wish && products.data ? wishOffers(wish, known, customers, inView) : [],
    isFetching: products.isFetching || named.isFetching,
  };
}

const likely = (groups: readonly Group[], text: string): Group[] =>
  groups
    .map((group) => ({ ...group, items: group.items.filter((hit) => isLike(text, hit)) }))
    .filter(({ items }) => items.length > 0);

interface Things {
  /** What a text that begins with a verb asks to do. */
  asked: Section;
  sections: Section[];
  /** What may have been meant, if nothing is called so. */
  guesses: Offer[];
  isBusy: boolean;
}

/**
 * What the server finds, the kind with the best hit first: what is called so, else what may have
 * been meant; and what can be done to the licenses that are named after a verb.
 */
export function useThings(text: string): Things {
  const { manage } = useCan();
  const q = useSettled(text.trim());
  const verb = manage ? verbOf(q) : undefined;
  const found = useFound(q);
  const named = useFound(verb && !verb.act.isMetered ? verb.rest : "");
  const metered = useMetered(verb?.act.isMetered ? verb.rest : "");
  const receivers = useFound(manage ? linkReceiverIn(q) : "");
  const orders = useOrders(q);
  const wish = useWish(manage ? q : "");
  const groups = found.data?.groups ?? [];
  const isNothing = q !== "" && !found.isPlaceholderData && found.data?.groups.length === 0;
  // To ask for the same text again would never end.
  const begin = beginningsOf(q);
  const meant = useFound(isNothing && begin !== q ? begin : "");
  // A product is found by the beginning of its whole name, in which the slip may be a later word.
  const [first = ""] = q.split(/\s+/);
  const isNeither = isNothing && !meant.isFetching && !meant.data?.groups.length;
  const begun = useFound(isNeither && first !== q ? beginningsOf(first) : "");
  const licenses = (verb && !verb.act.isMetered ? (named.data?.groups ?? []) : [])
    .filter(({ kind }) => kind === "License")
    .flatMap(({ items }) => inOrder(items));
  const asked: Section = {
    title: t`Do it`,
    offers: [
      ...(!verb
        ? []
        : verb.rest
          ? actOffers(verb, [...licenses, ...metered.hits])
          : [whichOf(verb)]),
      ...wish.offers,
      ...(linkReceiverIn(q) ? (receivers.data?.groups ?? []) : [])
        .filter(({ kind }) => kind === "Customer")
        .flatMap(({ items }) => items)
        .map(({ id, title: name }) => ({ ...sendLinkTo({ id, name }), key: id, detail: name })),
    ],
  };
  if (!text.trim()) return { asked, sections: [], guesses: [], isBusy: false };
  const similar = [...(meant.data?.groups ?? []), ...(begun.data?.groups ?? [])];
  return {
    asked,
    guesses: isNothing
      ? likely(similar, q).flatMap(({ items }) => inOrder(items).map(offerOf))
      : [],
    isBusy:
      q !== text.trim() ||
      [found, named, receivers, meant, begun, orders, wish, metered].some(
        ({ isFetching }) => isFetching,
      ),
    sections: [
      ...groups.map(({ kind, items }) => ({
        title: KINDS[kind].title,
        offers: inOrder(items).map(offerOf),
      })),
      { title: t`Orders`, offers: orders.offers },
    ],
  };
}
