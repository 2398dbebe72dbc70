import type { License, LicenseType } from "../../api/types";
import { date, number } from "../../ui/formats";

/** The terms that determine what a customer can do. */
export interface SummaryTerms {
  type: LicenseType;
  product: string;
  issuedTo: string | null;
  end: string | null;
  /** The term that a policy gives, in words; empty without one. */
  term: string;
  seats: number | null;
  balance: number | null;
  approval: boolean;
  offline: boolean;
  credentials: boolean;
}

function ability({
  type,
  product,
  end,
  term,
  seats,
  balance,
  approval,
  credentials,
}: SummaryTerms): string {
  const until = end ? ` until ${date(end)}` : term && ` for ${term}`;
  const places = `${number(seats ?? 0)} ${seats === 1 ? "device" : "devices"}`;
  switch (type) {
    case "Perpetual":
      return `use ${product}${until || " indefinitely"} on any number of machines${credentials ? ", with the username and password" : ""}.`;
    case "Trial":
      return `try ${product}${until}. After that it stops working unless you extend the license or convert it to a paid one.`;
    case "Subscription":
      return `use ${product}${until}. Each renewal extends the license.`;
    case "Floating":
      return `run ${product}${until} on any machine, up to ${number(seats ?? 0)} at the same time.`;
    case "Concurrent":
      return `use ${product}${until} on up to ${places}. A device keeps its seat until it is deactivated.`;
    case "NodeLocked":
      return `use ${product}${until} on one machine: ${approval ? "the first one you approve" : "the first one that validates"}.`;
    case "MeteredToken":
      return `spend ${number(balance ?? 0)} credits on the features of ${product}${until}. At zero the license stays valid, but the features stop working until you grant more.`;
    case "MeteredCount":
      return `use the features of ${product} ${number(balance ?? 0)} times${until}. At zero the license stays valid, but the features stop working until you grant more.`;
  }
}

/** What the customer will be able to do, in a sentence or two. */
export function summaryOf(terms: SummaryTerms): string {
  const offline = terms.offline
    ? " license.bin is sufficient; no connection to the server is needed."
    : "";
  return `${terms.issuedTo ?? "Anyone with the key"} can ${ability(terms)}${offline}`;
}

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
