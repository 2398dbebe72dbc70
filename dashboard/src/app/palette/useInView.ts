import { t } from "@lingui/core/macro";
import { matchPath, useLocation } from "react-router";
import { $api, at } from "../../api/client";
import { AddIcon, BoltIcon, MailIcon, PersonIcon } from "../../ui/icons";
import { useCan, useInstitution } from "../../ui/useInstitution";
import { useProduct } from "../../ui/useProduct";
import { plain, type Offer, type Section, type Thing } from "./found";
import { actsOf, firstActOn } from "./licenseActs";

const UUID = /^[0-9a-f-]{36}$/;

/** The ID that the address names, if it is that of such a page. */
export function useIdOf(pattern: string): string | undefined {
  const { pathname } = useLocation();
  const id = matchPath(pattern, pathname)?.params["id"];
  return id && UUID.test(id) ? id : undefined;
}

/** What can be done to a thing; without one, to that whose page is open. */
export function useActsOn(thing: Thing | null): Section[] {
  const shown = {
    License: useIdOf("/licenses/:id/*"),
    Customer: useIdOf("/customers/:id/*"),
    Product: useIdOf("/products/:id/*"),
  };
  const idOf = (kind: keyof typeof shown) =>
    thing === null ? shown[kind] : thing.kind === kind ? thing.id : undefined;
  const [licenseId, customerId] = [idOf("License"), idOf("Customer")];
  const license = $api.useQuery(
    "get",
    "/api/licenses/{licenseId}",
    at({ licenseId: licenseId ?? "" }),
    { enabled: licenseId !== undefined },
  ).data;
  const customer = $api.useQuery(
    "get",
    "/api/customers/{customerId}",
    at({ customerId: customerId ?? "" }),
    { enabled: customerId !== undefined },
  ).data;
  const product = useProduct(idOf("Product")).data;
  const { institutionId } = useInstitution();
  const of = license ?? customer ?? product;
  const can = useCan(of?.institutionId ?? institutionId ?? undefined);
  if (!can.manage) return [];
  if (license) return [{ title: license.licenseName, offers: actsOf(license) }];
  if (customer)
    return [
      {
        title: customer.name,
        offers: [sendLinkTo(customer), viewPortalAs(customer), issueTo(customer)],
      },
    ];
  if (product) return [{ title: product.name, offers: [issueOf(product)] }];
  if (thing?.kind === "Device") return [{ title: thing.title, offers: deviceActs(thing) }];
  return thing?.kind === "Order" ? [{ title: thing.title, offers: [ruleFor(thing)] }] : [];
}

const issueTo = ({ name, email }: { name: string; email: string }): Offer => ({
  key: "issue in view",
  label: t`Issue license to ${name}`,
  kind: "Action",
  icon: AddIcon,
  to: `/licenses/new?issuedTo=${encodeURIComponent(email)}`,
});

const issueOf = ({ id, name }: { id: string; name: string }): Offer => ({
  key: "issue of product in view",
  label: t`Issue license of ${name}`,
  kind: "Action",
  icon: AddIcon,
  to: `/licenses/new?productId=${id}`,
});

const LINK_WORDS = plain(t`send portal link to`).split(" ");

/** The customer in a request such as "portal link ben"; empty if the text is no such request. */
export function linkReceiverIn(text: string): string {
  const words = plain(text).split(/\s+/);
  const name = words.filter((word) => !LINK_WORDS.includes(word));
  return words.includes("portal") ? name.join(" ") : "";
}

export const sendLinkTo = ({ id, name }: { id: string; name: string }): Offer => ({
  key: "portal link in view",
  label: t`Send portal link`,
  words: name,
  kind: "Action",
  icon: MailIcon,
  to: `/customers/${id}?act=portal-link`,
});

/** The likeliest thing to do to what was found, without looking at all that can be done to it. */
export function useFirstActOn(thing: Thing | undefined): Offer | undefined {
  const { manage } = useCan();
  if (!thing || !manage) return undefined;
  if (thing.kind === "Device") return deviceActs(thing)[0];
  if (thing.kind === "License") return firstActOn(thing);
  if (thing.kind === "Order") return ruleFor(thing);
  const { id, title: name } = thing;
  return thing.kind === "Customer" ? sendLinkTo({ id, name }) : issueOf({ id, name });
}

const viewPortalAs = ({ id, name }: { id: string; name: string }): Offer => ({
  key: "portal view in view",
  label: t`View portal as customer`,
  words: name,
  kind: "Action",
  icon: PersonIcon,
  to: `/customers/${id}?act=portal-view`,
});

/** What an order waits for that no rule matches. */
const ruleFor = ({ id }: Thing): Offer => ({
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

function deviceActs({ id, licenseId, status, title }: Thing): Offer[] {
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
