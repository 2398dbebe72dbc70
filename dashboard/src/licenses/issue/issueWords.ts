import type { License, LicenseType } from "../../api/types";
import { date, number } from "../../ui/formats";

/** What decides what a customer may do. */
export interface Promised {
  type: LicenseType;
  product: string;
  issuedTo: string | null;
  end: string | null;
  seats: number | null;
  balance: number | null;
  approval: boolean;
  offline: boolean;
  credentials: boolean;
}

function ability({ type, product, end, seats, balance, approval, credentials }: Promised): string {
  const until = end ? ` until ${date(end)}` : "";
  const places = `${number(seats ?? 0)} ${seats === 1 ? "device" : "devices"}`;
  switch (type) {
    case "Perpetual":
      return `use ${product}${until || " for good"} on any number of machines${credentials ? ", with the user name and password" : ""}.`;
    case "Trial":
      return `try ${product}${until}. Then it stops, unless you extend the license or turn it into a paid one.`;
    case "Subscription":
      return `use ${product}${until}, and longer with each renewal.`;
    case "Floating":
      return `run ${product}${until} on any machine, on up to ${number(seats ?? 0)} at the same time.`;
    case "Concurrent":
      return `use ${product}${until} on up to ${places}. A device keeps its seat until it is given back.`;
    case "NodeLocked":
      return `use ${product}${until} on one machine: ${approval ? "the first that you approve" : "the first that asks"}.`;
    case "MeteredToken":
      return `spend ${number(balance ?? 0)} credits on the features of ${product}${until}. At zero the license stays valid, only the features wait for more.`;
    case "MeteredCount":
      return `use the features of ${product} ${number(balance ?? 0)} times${until}. At zero the license stays valid, only the uses wait for more.`;
  }
}

/** What a customer will be able to do, in a sentence or two. */
export function promiseOf(promised: Promised): string {
  const offline = promised.offline
    ? " license.bin alone is enough; the server need not be reached."
    : "";
  return `${promised.issuedTo ?? "Whoever holds the key"} can ${ability(promised)}${offline}`;
}

const USE: Record<LicenseType, string> = {
  Perpetual: "You can use it on your machines.",
  Trial: "Try everything until the day below.",
  Subscription: "It runs for the term below and goes on with each renewal.",
  Floating: "You can install it anywhere; so many may run it at the same time.",
  Concurrent: "Each device takes one of your seats.",
  NodeLocked: "It belongs to one machine: activate it on the one that you mean to use.",
  MeteredToken: "Your credits are shared by all your devices.",
  MeteredCount: "Your uses are shared by all your devices.",
};

/** A letter to the customer that can be sent as it is. */
export function letterOf(license: License): string {
  const { maxActiveUsersCount: seats, meterBalance } = license;
  const lines = [
    "Hello,",
    "",
    `here is your license for ${license.productName}. ${USE[license.type]}`,
    "",
    `License key: ${license.licenseKey}`,
    ...(seats === null ? [] : [`Seats: ${number(seats)}`]),
    ...(meterBalance === null ? [] : [`Balance: ${number(meterBalance)}`]),
    ...(license.expirationDate ? [`Valid until: ${date(license.expirationDate)}`] : []),
    ...(license.username ? [`User name: ${license.username}`] : []),
    "",
    `Start ${license.productName} and enter the key where it asks for it.`,
    ...(license.activationMode === "Offline"
      ? ["The attached file license.bin lets it run without a connection."]
      : []),
    "",
    "Kind regards",
    ...(license.issuer ? [license.issuer] : []),
  ];
  return lines.join("\n");
}
