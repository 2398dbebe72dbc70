import type { License, LicenseType } from "../../api/types";
import { date, number } from "../../ui/formats";
import { MODEL_LABELS } from "../../ui/labels";
import { MODEL_TRAITS } from "../../ui/models";

/** The terms that the summary tells in words. */
export interface SummaryTerms {
  type: LicenseType;
  product: string;
  /** The name of the customer institution; empty without one. */
  institution: string;
  issuedTo: string;
  isMailed: boolean;
  end: string | null;
  /** The term that a policy gives, in words; empty without one. */
  term: string;
  seats: number;
  balance: number;
  approval: boolean;
  offline: boolean;
  credentials: boolean;
}

const counted = (count: number, one: string, many: string) =>
  count > 0 ? `${number(count)} ${count === 1 ? one : many}` : "";

function amountOf({ type, seats, balance }: SummaryTerms): string {
  const [word, amount] = {
    Floating: ["for", counted(seats, "seat", "seats")],
    Concurrent: ["for", counted(seats, "device", "devices")],
    NodeLocked: ["for", "one machine"],
    MeteredToken: ["with", counted(balance, "credit", "credits")],
    MeteredCount: ["with", counted(balance, "use", "uses")],
    Perpetual: ["", ""],
    Trial: ["", ""],
    Subscription: ["", ""],
  }[type];
  return amount ? ` ${word ?? ""} ${amount}` : "";
}

function termIn({ type, end, term }: SummaryTerms): string {
  if (end) return `, valid until ${date(end)}`;
  if (term) return `, valid for ${term}`;
  return MODEL_TRAITS[type].expirationRequired ? "" : ", with no expiration date";
}

const receiverIn = ({ type, issuedTo, isMailed }: SummaryTerms): string =>
  issuedTo
    ? `, ${isMailed ? "delivered" : "issued"} to ${issuedTo}`
    : MODEL_TRAITS[type].issuedToRequired
      ? ""
      : ", for whoever has the key";

/** The license in a sentence: "A floating license of Aurora for 25 seats, valid until ...". */
export function sentenceOf(terms: SummaryTerms): string {
  const model = MODEL_LABELS[terms.type].toLowerCase();
  const place = terms.institution && ` at ${terms.institution}`;
  return `A ${model} license of ${terms.product}${amountOf(terms)}${place}${termIn(terms)}${receiverIn(terms)}.`;
}

function behaviorOf({ type, seats, approval, credentials }: SummaryTerms): string {
  switch (type) {
    case "Perpetual":
      return `It runs on any number of machines${credentials ? ", with the username and password" : ""}.`;
    case "Trial":
      return "After that it stops working unless you extend it or convert it to a paid license.";
    case "Subscription":
      return "Each renewal extends it.";
    case "Floating":
      return `It runs on any machine${seats > 0 ? `, up to ${number(seats)} at the same time` : ""}.`;
    case "Concurrent":
      return "A device keeps its seat until it is deactivated.";
    case "NodeLocked":
      return `It works on ${approval ? "the first machine that you approve" : "the first machine that validates"}.`;
    case "MeteredToken":
      return "At zero credits it stays valid, but its features stop working until you grant more.";
    case "MeteredCount":
      return "At zero uses it stays valid, but its features stop working until you grant more.";
  }
}

/** What comes with it, in a sentence or two. */
export const consequenceOf = (terms: SummaryTerms): string =>
  `${behaviorOf(terms)}${terms.offline ? " license.bin is sufficient; no connection to the server is needed." : ""}`;

const USE: Record<LicenseType, string> = {
  Perpetual: "You can use it on your machines.",
  Trial: "You can try everything until the date below.",
  Subscription: "It is valid until the date below and is extended with each renewal.",
  Floating:
    "You can install it anywhere; the maximum of active users below is how many can run at the same time.",
  Concurrent: "Each device uses one of your seats.",
  NodeLocked: "It works on one machine: activate it on the one you want to use.",
  MeteredToken: "Your credits are shared by all your devices.",
  MeteredCount: "Your uses are shared by all your devices.",
};

const fileNoteOf = ({ type }: License): string =>
  type === "Concurrent"
    ? "To use it without an internet connection, each device needs a license.bin of its own: send us its hardware ID."
    : "The attached file license.bin lets it run without an internet connection.";

/** An email to the customer, ready to send. */
export function customerEmailOf(license: License): string {
  const { maxActiveUsersCount: seats, meterBalance } = license;
  const lines = [
    "Hello,",
    "",
    `Here is your license for ${license.productName}. ${USE[license.type]}`,
    "",
    `License key: ${license.licenseKey}`,
    ...(seats === null ? [] : [`Max active users: ${number(seats)}`]),
    ...(meterBalance === null ? [] : [`Balance: ${number(meterBalance)}`]),
    ...(license.expirationDate ? [`Valid until: ${date(license.expirationDate)}`] : []),
    ...(license.username ? [`Username: ${license.username}`] : []),
    "",
    `Start ${license.productName} and enter the key when asked.`,
    ...(license.activationMode === "Offline" ? [fileNoteOf(license)] : []),
    "",
    "Kind regards",
    ...(license.issuer ? [license.issuer] : []),
  ];
  return lines.join("\n");
}
