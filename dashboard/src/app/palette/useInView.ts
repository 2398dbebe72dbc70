import { t } from "@lingui/core/macro";
import { matchPath, useLocation } from "react-router";
import { $api, at } from "../../api/client";
import { AddIcon, MailIcon } from "../../ui/icons";
import { useCan } from "../../ui/useInstitution";
import type { Offer, Section } from "./found";
import { actsOf } from "./licenseActs";

const NEW = "new";

/** The ID that the address names, if it is that of such a page. */
function useIdOf(pattern: string): string | undefined {
  const { pathname } = useLocation();
  const id = matchPath(pattern, pathname)?.params["id"];
  return id === NEW || id === "import" ? undefined : id;
}

/** What can be done to the license or for the customer whose page is open. */
export function useInView(): Section[] {
  const licenseId = useIdOf("/licenses/:id/*");
  const customerId = useIdOf("/customers/:id/*");
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
  const can = useCan((license ?? customer)?.institutionId);
  if (!can.manage) return [];
  if (license) return [{ title: license.licenseName, offers: actsOf(license) }];
  if (customer)
    return [{ title: customer.name, offers: [issueTo(customer), sendLinkTo(customer)] }];
  return [];
}

const issueTo = ({ name, email }: { name: string; email: string }): Offer => ({
  key: "issue in view",
  label: t`Issue license to ${name}`,
  kind: "Action",
  icon: AddIcon,
  to: `/licenses/new?issuedTo=${encodeURIComponent(email)}`,
});

const sendLinkTo = ({ id, name }: { id: string; name: string }): Offer => ({
  key: "portal link in view",
  label: t`Send portal link`,
  words: name,
  kind: "Action",
  icon: MailIcon,
  to: `/customers/${id}?act=portal-link`,
});
