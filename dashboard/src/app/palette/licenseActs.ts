import { t } from "@lingui/core/macro";
import { answerInList } from "../../ui/license/answer";
import { shortOf } from "../../ui/license/LicenseChip";
import { type Action, availableActions, isGrave, labelOf } from "../../ui/license/available";
import { isCapped, isMetered, meterOf } from "../../licenses/detail/traits";
import type { License, Schemas } from "../../api/types";
import { copyAndSay } from "../../ui/clipboard";
import { dayFrom, termFrom } from "../../ui/days";
import { date } from "../../ui/formats";
import {
  BatteryIcon,
  BlockIcon,
  BoltIcon,
  CopyIcon,
  CustomerIcon,
  DeleteIcon,
  DevicesIcon,
  DoctorIcon,
  EditIcon,
  ExpiryIcon,
  FailedIcon,
  HistoryIcon,
  type Icon,
  KeyIcon,
  LicenseIcon,
  OrderIcon,
  RepairIcon,
  ReplayIcon,
  SendIcon,
  SwitchIcon,
} from "../../ui/icons";
import { MODEL_LABELS } from "../../ui/labels";
import { fateOf, statusOf } from "../../ui/orders";
import { amountText } from "../../ui/quantities";
import type { Offer } from "./found";
import type { Request, Span } from "./request";
import type { Verb, VerbName } from "./verbs";

type Order = Schemas["Order"];

/** Where a license is looked at. */
const TABS: Readonly<Record<string, string>> = {
  balance: "meter",
  devices: "activations",
  diagnose: "diagnose",
  events: "events",
  sessions: "sessions",
};

const ICONS: Readonly<Record<string, Icon>> = {
  balance: BatteryIcon,
  convert: SwitchIcon,
  delete: DeleteIcon,
  devices: DevicesIcon,
  diagnose: DoctorIcon,
  edit: EditIcon,
  events: HistoryIcon,
  free: DevicesIcon,
  grant: BatteryIcon,
  maintenance: RepairIcon,
  note: HistoryIcon,
  reinstate: ReplayIcon,
  rekey: KeyIcon,
  restore: ReplayIcon,
  revoke: FailedIcon,
  send: SendIcon,
  sessions: DevicesIcon,
  suspend: BlockIcon,
  term: ExpiryIcon,
};

const offer = (name: string, label: string, to: Offer["to"], rest: Partial<Offer> = {}): Offer => ({
  key: `${label} ${typeof to === "string" ? to : name}`,
  label,
  kind: "Action",
  icon: ICONS[name] ?? BoltIcon,
  to,
  ...rest,
});

const tabOffer = (name: string, label: string, { id }: License, words = ""): Offer =>
  offer(name, label, `/licenses/${id}/${TABS[name] ?? ""}`, { words });

const actionOffer = (name: Action, license: License, rest: Partial<Offer> = {}): Offer =>
  offer(name, labelOf(name, license), `/licenses/${license.id}?act=${name}`, rest);

/** What tells a license from others of its name. */
export const detailOf = ({ productName, type, expirationDate: end, issuedTo }: License): string =>
  [productName, MODEL_LABELS[type], end && date(end), issuedTo].filter(Boolean).join(" · ");

const END_OF_TIME = "9999";

/** What is called so and no more first, and of one name what ends first. */
export const inOrder = (licenses: readonly License[]): License[] =>
  licenses.toSorted(
    (one, other) =>
      one.licenseName.length - other.licenseName.length ||
      (one.expirationDate ?? END_OF_TIME).localeCompare(other.expirationDate ?? END_OF_TIME),
  );

const isOpen = ({ status }: License) => status !== "Revoked";

/** What a verb is on a license, if the license has it; what is done to devices leads to them. */
function actOf({ name, label }: Verb, license: License): Offer | undefined {
  const action = availableActions(license).find((one) => one === name);
  if (action) return actionOffer(action, license);
  switch (name) {
    case "note":
      return noteOf(license);
    case "balance":
      return isMetered(license) ? tabOffer(name, label, license) : undefined;
    case "free":
      return isCapped(license.type)
        ? tabOffer(license.type === "Floating" ? "sessions" : "devices", label, license)
        : undefined;
    case "copy":
      return copyKeyOf(license);
    case "diagnose":
    case "devices":
    case "sessions":
    case "events":
      return tabOffer(name, label, license);
    case "approve":
    case "block":
    case "deactivate":
    case "unblock":
      return tabOffer("devices", t`Devices`, license);
    default:
      return undefined;
  }
}

/** What is true of a license already when a verb asks for it. */
const ALREADY: Partial<Record<VerbName, readonly [status: License["status"], sentence: string]>> = {
  reinstate: ["Active", t`Is active already`],
  revoke: ["Revoked", t`Is revoked already`],
  suspend: ["Suspended", t`Is suspended already`],
};

/** The day a time after what an extension of a license counts from. */
const dayAt = ({ expirationDate, inGraceUntil }: License, span: Span): string =>
  dayFrom(termFrom(expirationDate, inGraceUntil !== null), span);

/** What the dialog opens with: in its address, and in words. */
function filledIn({ takes }: Verb, { amount, span }: Request, license: License): [string, string] {
  if (takes === "amount" && amount !== undefined)
    return [`&amount=${String(amount)}`, amountText(amount, meterOf(license))];
  if (takes !== "span" || !span) return ["", ""];
  const day = dayAt(license, span);
  return [`&until=${day}`, t`to ${{ day: date(`${day}T12:00`) }}`];
}

/** An act as it is offered beside the acts on other licenses. */
function named(act: Offer, license: License, note: string, query = ""): Offer {
  const { licenseName: name, status, productName } = license;
  return {
    ...act,
    label: t`${{ act: act.label }}: ${{ name }}`,
    detail: [note, detailOf(license)].filter(Boolean).join(" · "),
    emblem: { kind: "product", name: productName },
    status,
    verdict: shortOf(answerInList(license)),
    ...(query && typeof act.to === "string" && { to: `${act.to}${query}` }),
  };
}

/** What became of the order that a license came of, if that ended the license. */
function causeIn(orders: readonly Order[], { id }: License): string | undefined {
  const order = orders.find(({ licenseIds }) => licenseIds.includes(id));
  return order && statusOf(order) !== "Fulfilled" ? fateOf(order) : undefined;
}

const openOf = ({ id }: License): Offer =>
  offer("open", t({ message: "Open", context: "verb" }), `/licenses/${id}`, { icon: LicenseIcon });

/** What is asked to be done to a license; where that is so already, that, why, and what can be done. */
function offersOn(request: Request, license: License, orders: readonly Order[]): Offer[] {
  const acts = request.verbs.flatMap((verb) => {
    const act = actOf(verb, license);
    const [query, words] = filledIn(verb, request, license);
    return act ? [named(act, license, words, query)] : [];
  });
  if (acts.length > 0) return acts;
  return request.verbs.flatMap(({ name }) => {
    const [status, sentence] = ALREADY[name] ?? [];
    if (!sentence || status !== license.status) return [];
    const note = [sentence, causeIn(orders, license)].filter(Boolean).join(" · ");
    return [named(firstActOn(license) ?? openOf(license), license, note)];
  });
}

/** What is asked to be done to each of these licenses, as far as they allow it. */
export const licenseOffers = (
  request: Request,
  licenses: readonly License[],
  orders: readonly Order[],
): Offer[] => inOrder(licenses).flatMap((license) => offersOn(request, license, orders));

/** The likeliest action on a license: that of its page, else what it lives on, or to send it. */
export function firstActOn(license: License): Offer | undefined {
  const { id, issuedTo, expirationDate: end } = license;
  const { action, tab } = answerInList(license);
  if (action) return actionOffer(action, license);
  if (tab) return offer("tab", tab.label, `/licenses/${id}/${tab.path}`);
  if (!isOpen(license)) return undefined;
  if (isMetered(license)) return actionOffer("grant", license);
  if (end !== null) return actionOffer("term", license);
  return issuedTo === null ? copyKeyOf(license) : actionOffer("send", license);
}

/** What can be done to a license, likeliest first. */
export function actsOf(license: License): Offer[] {
  const { id, customerId, issuedTo } = license;
  const first = firstActOn(license);
  const others = [
    ...actsIn(license, (name) => !isSeldom(name, license)),
    copyKeyOf(license),
    noteOf(license),
    offer("edit", t`Edit tags`, `/licenses/${id}?act=edit`),
    tabOffer("diagnose", t`Diagnose`, license, t`why does it not work`),
    tabOffer("devices", t`Devices`, license, t`machines activations free seat`),
    tabOffer("events", t`Events`, license, t`timeline history`),
    ...(customerId === null
      ? []
      : [offer("customer", t`Open customer`, `/customers/${customerId}`, { icon: CustomerIcon })]),
    ...(issuedTo === null ? [] : [ordersOf(issuedTo)]),
    ...actsIn(license, (name) => isSeldom(name, license)),
  ];
  return first ? [first, ...others.filter(({ key }) => key !== first.key)] : others;
}

const noteOf = ({ id }: License): Offer => offer("note", t`Add a note`, `/licenses/${id}?act=note`);

const copyKeyOf = (license: License): Offer =>
  offer(
    `copy ${license.id}`,
    t`Copy key`,
    () => void copyAndSay(license.licenseKey, t`License key copied.`),
    { icon: CopyIcon },
  );

/** An order is found by the address that it was placed with. */
const ordersOf = (email: string): Offer =>
  offer("orders", t`Open orders`, `/orders?search=${encodeURIComponent(email)}`, {
    icon: OrderIcon,
  });

/** To edit a license or to give it a first end is seldom meant here; what ends it stands last. */
const isSeldom = (name: Action, { expirationDate: end, updatesUntil }: License) =>
  name === "edit" ||
  (name === "term" && end === null) ||
  (name === "maintenance" && updatesUntil === null) ||
  isGrave(name);

const actsIn = (license: License, isShown: (name: Action) => boolean): Offer[] =>
  availableActions(license)
    .filter(isShown)
    .map((name) =>
      actionOffer(name, license, {
        ...(name === "grant" && { words: t`credits balance top-up` }),
        ...(isGrave(name) && { isGrave: true }),
      }),
    );
