import { t } from "@lingui/core/macro";
import type { License, LicenseType } from "../../api/types";
import { date, number } from "../../ui/formats";

const LICENSES: Record<LicenseType, string> = {
  Perpetual: t`Perpetual license`,
  Trial: t`Trial license`,
  Subscription: t`Subscription license`,
  Floating: t`Floating license`,
  Concurrent: t`Concurrent license`,
  NodeLocked: t`Node-locked license`,
  MeteredToken: t`Credit-Based license`,
  MeteredCount: t`Usage-Based license`,
};

/** What was issued: "Order 1001 issued: Floating license for Aurora 2.1." */
export function issuedText({ licenseName, type, productName, releaseVersion }: License): string {
  const license = LICENSES[type];
  return t`${{ name: licenseName }} issued: ${license} for ${{ product: productName }} ${{ version: releaseVersion }}.`;
}

const USE: Record<LicenseType, string> = {
  Perpetual: t`You can use it on your machines.`,
  Trial: t`You can try everything until the date below.`,
  Subscription: t`It is valid until the date below and is extended with each renewal.`,
  Floating: t`You can install it anywhere; the maximum of active users below is how many can run at the same time.`,
  Concurrent: t`Each device uses one of your seats.`,
  NodeLocked: t`It works on one machine: activate it on the one you want to use.`,
  MeteredToken: t`Your credits are shared by all your devices.`,
  MeteredCount: t`Your uses are shared by all your devices.`,
};

const fileNoteOf = ({ type }: License): string =>
  type === "Concurrent"
    ? t`To use it without an internet connection, each device needs a license.bin of its own: send us its hardware ID.`
    : t`The attached file license.bin lets it run without an internet connection.`;

/** An email to the customer, ready to send. */
export function customerEmailOf(license: License): string {
  const { maxActiveUsersCount: seats, meterBalance, expirationDate, username } = license;
  const product = license.productName;
  const lines = [
    t`Hello,`,
    "",
    `${t`Here is your license for ${product}.`} ${USE[license.type]}`,
    "",
    t`License key: ${{ key: license.licenseKey }}`,
    ...(seats === null ? [] : [t`Max active users: ${{ seats: number(seats) }}`]),
    ...(meterBalance === null ? [] : [t`Balance: ${{ balance: number(meterBalance) }}`]),
    ...(expirationDate ? [t`Valid until: ${{ day: date(expirationDate) }}`] : []),
    ...(username ? [t`Username: ${username}`] : []),
    "",
    t`Start ${product} and enter the key when asked.`,
    ...(license.activationMode === "Offline" ? [fileNoteOf(license)] : []),
    "",
    t`Kind regards`,
    ...(license.issuer ? [license.issuer] : []),
  ];
  return lines.join("\n");
}
