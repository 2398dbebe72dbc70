import { t } from "@lingui/core/macro";
import {
  AddIcon,
  BoltIcon,
  CopyIcon,
  CustomerIcon,
  EditIcon,
  HistoryIcon,
  type Icon,
  LicenseIcon,
  MailIcon,
  PersonIcon,
  UnlinkIcon,
} from "../../ui/icons";
import { copyAndSay } from "../../ui/clipboard";
import { licenseListPath } from "../../ui/paths";
import type { Offer, Thing } from "./found";
import type { VerbName } from "./verbs";

interface Customer {
  id: string;
  name: string;
  email?: string | null;
}

export const issueTo = ({ name, email }: { name: string; email: string }): Offer => ({
  key: "issue in view",
  label: t`Issue license to ${name}`,
  kind: "Action",
  icon: AddIcon,
  to: `/licenses/new?issuedTo=${encodeURIComponent(email)}`,
});

export const issueOf = ({ id, name }: { id: string; name: string }): Offer => ({
  key: "issue of product in view",
  label: t`Issue license of ${name}`,
  kind: "Action",
  icon: AddIcon,
  to: `/licenses/new?productId=${id}`,
});

/** What can be done to a customer, by the verb that asks for it: its label, and `?act=`. */
const CUSTOMER_ACTS: Partial<Record<VerbName, readonly [label: string, act: string, icon: Icon]>> =
  {
    link: [t`Send portal link`, "portal-link", MailIcon],
    view: [t`View portal as customer`, "portal-view", PersonIcon],
    edit: [t`Edit`, "edit", EditIcon],
    merge: [t`Merge into another`, "merge", CustomerIcon],
    note: [t`Add a note`, "note", HistoryIcon],
  };

function customerAct(verb: VerbName, { id }: Customer): Offer | undefined {
  const known = CUSTOMER_ACTS[verb];
  if (!known) return undefined;
  const [label, act, icon] = known;
  return {
    key: `${act} ${id}`,
    label,
    kind: "Action",
    icon,
    to: `/customers/${id}?act=${act}`,
  };
}

/** What can be done to a customer, likeliest first. */
export const customerActs = (customer: Customer): Offer[] =>
  (Object.keys(CUSTOMER_ACTS) as VerbName[]).flatMap((verb) => customerAct(verb, customer) ?? []);

export const copyEmailOf = ({ email }: { email: string }): Offer => ({
  key: `copy ${email}`,
  label: t`Copy email`,
  kind: "Action",
  icon: CopyIcon,
  to: () => void copyAndSay(email, t`Email copied.`),
});

/** What a verb does to these customers. */
export const customerOffers = (verb: VerbName, customers: readonly Customer[]): Offer[] =>
  customers.flatMap((customer) => {
    const { name, email } = customer;
    const act = customerAct(verb, customer);
    if (!act) return [];
    return {
      ...act,
      label: t`${{ act: act.label }}: ${{ name }}`,
      emblem: { kind: "person" as const, name },
      ...(email && { detail: email }),
    };
  });

export const licensesOf = ({ id }: Customer): Offer => ({
  key: `licenses ${id}`,
  label: t`Licenses`,
  kind: "Action",
  icon: LicenseIcon,
  to: licenseListPath({ customerId: id }),
});

/** What an order waits for that no rule matches. */
export const ruleFor = ({ id }: Thing): Offer => ({
  key: `rule ${id}`,
  label: t`Create rule`,
  kind: "Action",
  icon: AddIcon,
  to: `/orders/${id}?act=rule`,
});

/** What its list offers for a device of a status, likeliest first. */
const DEVICE_ACTS: Partial<Record<string, readonly string[]>> = {
  Pending: [t`Approve`, t`Remove`],
  Blocked: [t`Unblock`, t`Deactivate`],
  Released: [t`Free seat now`],
};

/** What a verb means for a device; one of them is offered. */
const DEVICE_VERBS: Partial<Record<VerbName, readonly string[]>> = {
  approve: [t`Approve`],
  block: [t`Block`],
  deactivate: [t`Deactivate`, t`Remove`],
  free: [t`Free seat now`, t`Deactivate`],
  unblock: [t`Unblock`],
};

export function deviceActs({ id, licenseId, status, title }: Thing): Offer[] {
  const acts = DEVICE_ACTS[status ?? ""] ?? [t`Deactivate`, t`Block`];
  return acts.map((act) => {
    const query = new URLSearchParams({ search: title, device: id, act });
    return {
      key: `${act} ${id}`,
      label: act,
      kind: "Action",
      icon: BoltIcon,
      to: `/licenses/${licenseId ?? ""}/activations?${query.toString()}`,
    };
  });
}

/** An act on a device or a session, as it is offered beside acts on others. */
const namedActOn = (
  { title: name, status, licenseName: detail }: Thing & { licenseName: string | null },
  act: Offer,
): Offer => ({
  ...act,
  label: t`${{ act: act.label }}: ${{ name }}`,
  ...(detail && { detail }),
  ...(status && { status }),
});

const SESSION_VERBS: readonly VerbName[] = ["deactivate", "free"];

/** What can be done to a live session: to end it, or where a lease holds its seat, to see that. */
export function sessionActs({ id, licenseId, status, title }: Thing): Offer[] {
  const base = `/licenses/${licenseId ?? ""}/sessions`;
  const isBorrowed = status === "Borrowed";
  const query = new URLSearchParams({ search: title, ...(!isBorrowed && { session: id }) });
  return [
    {
      key: `end ${id}`,
      label: isBorrowed ? t`Borrowed seats` : t`Disconnect`,
      kind: "Action",
      icon: UnlinkIcon,
      to: `${base}${isBorrowed ? "/away" : ""}?${query.toString()}`,
    },
  ];
}

/** What a verb does to these sessions. */
export const sessionOffers = (
  verb: VerbName,
  sessions: readonly (Thing & { licenseName: string | null })[],
): Offer[] =>
  SESSION_VERBS.includes(verb)
    ? sessions.flatMap((session) => sessionActs(session).map((act) => namedActOn(session, act)))
    : [];

/** What a verb does to these devices, as far as they allow it. */
export const deviceOffers = (
  verb: VerbName,
  devices: readonly (Thing & { licenseName: string | null })[],
): Offer[] =>
  devices.flatMap((device) => {
    const act = deviceActs(device).find(({ label }) => DEVICE_VERBS[verb]?.includes(label));
    return act ? namedActOn(device, act) : [];
  });
