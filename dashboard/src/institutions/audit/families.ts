import { t } from "@lingui/core/macro";
import type { EventKind } from "../../ui/events";
import { words } from "../../ui/labels";

type Family = EventKind extends `${infer Name}.${string}` ? Name : never;
type Entry = readonly [name: string, all: string];

/** The families of events: the part of a kind before its dot. */
const FAMILIES: Record<Family, Entry> = {
  access_attempt: [t`Access attempt`, t`All access attempt events`],
  activation: [t`Activation`, t`All activation events`],
  api_key: [t`API key`, t`All API key events`],
  archive: [t`Archive`, t`All archive events`],
  association: [t`Association`, t`All association events`],
  connector: [t`Connector`, t`All connector events`],
  customer: [t`Customer`, t`All customer events`],
  enrollment_key: [t`Deployment key`, t`All deployment key events`],
  entitlement_set: [t`Entitlement set`, t`All entitlement set events`],
  feature: [t`Feature`, t`All feature events`],
  instance: [t`Instance`, t`All instance events`],
  institution: [t`Institution`, t`All institution events`],
  invitation: [t`Invitation`, t`All invitation events`],
  lease: [t`Borrowed seat or reservation`, t`All events of borrowed seats and reservations`],
  license: [t`License`, t`All license events`],
  mail_template: [t`Mail template`, t`All mail template events`],
  member: [t`Member`, t`All member events`],
  meter: [t`Meter`, t`All meter events`],
  order: [t`Order`, t`All order events`],
  order_report: [t`Reports of orders`, t`All events of reports of orders`],
  policy: [t`Policy`, t`All policy events`],
  product: [t`Product`, t`All product events`],
  release: [t`Release`, t`All release events`],
  release_file: [t`Release file`, t`All release file events`],
  session: [t`Session`, t`All session events`],
  user: [t`User`, t`All user events`],
  webhook: [t`Webhook`, t`All webhook events`],
};

/** A newer server may know more families than this page. */
const entryOf = (family: string): Entry | undefined =>
  (FAMILIES as Partial<Record<string, Entry>>)[family];

export const familyWords = (family: string): string => entryOf(family)?.[0] ?? words(family);

/** All events of a family, as one choice. */
export function allOfFamily(family: string): string {
  const name = words(family).toLowerCase();
  return entryOf(family)?.[1] ?? t`All ${name} events`;
}
