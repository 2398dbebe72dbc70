import { matchPath, useLocation } from "react-router";
import { $api, at } from "../../api/client";
import { useCan, useInstitution } from "../../ui/useInstitution";
import { useProduct } from "../../ui/useProduct";
import type { Offer, Section, Thing } from "./found";
import { actsOf, firstActOn } from "./licenseActs";
import {
  copyEmailOf,
  customerActs,
  deviceActs,
  issueOf,
  issueTo,
  licensesOf,
  ruleFor,
  sessionActs,
} from "./thingActs";

const UUID = /^[0-9a-f-]{36}$/;

/** The ID that the address names, if it is that of such a page. */
export function useIdOf(pattern: string): string | undefined {
  const { pathname } = useLocation();
  const id = matchPath(pattern, pathname)?.params["id"];
  return id && UUID.test(id) ? id : undefined;
}

const useLicense = (licenseId: string | undefined) =>
  $api.useQuery("get", "/api/licenses/{licenseId}", at({ licenseId: licenseId ?? "" }), {
    enabled: licenseId !== undefined,
  });

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
  const license = useLicense(licenseId).data;
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
        offers: [
          ...customerActs(customer),
          issueTo(customer),
          licensesOf(customer),
          copyEmailOf(customer),
        ],
      },
    ];
  if (product) return [{ title: product.name, offers: [issueOf(product)] }];
  if (thing?.kind === "Device") return [{ title: thing.title, offers: deviceActs(thing) }];
  if (thing?.kind === "Session") return [{ title: thing.title, offers: sessionActs(thing) }];
  return thing?.kind === "Order" ? [{ title: thing.title, offers: [ruleFor(thing)] }] : [];
}

interface First {
  offer: Offer | undefined;
  isBusy: boolean;
}

/** The likeliest thing to do to what was found; a license is asked for, since it decides. */
export function useFirstActOn(thing: Thing | undefined): First {
  const { manage } = useCan();
  const licenseId = thing?.kind === "License" && manage ? thing.id : undefined;
  const license = useLicense(licenseId);
  const offer = () => {
    if (!thing || !manage) return undefined;
    if (thing.kind === "License") return license.data && firstActOn(license.data);
    if (thing.kind === "Device") return deviceActs(thing)[0];
    if (thing.kind === "Session") return sessionActs(thing)[0];
    if (thing.kind === "Order") return ruleFor(thing);
    const { id, title: name } = thing;
    return thing.kind === "Customer" ? customerActs({ id, name })[0] : issueOf({ id, name });
  };
  return { offer: offer(), isBusy: license.isFetching };
}
