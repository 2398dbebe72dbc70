import { keepPreviousData } from "@tanstack/react-query";
import { $api } from "../../api/client";
import type { Schemas } from "../../api/types";
import { useInstitution } from "../../ui/useInstitution";
import { EMAIL } from "./checks";

type Customer = Schemas["Customer"];

const LEAST = 2;
const OFFERED = 6;

/** The customers whose name, address or company begins so; undefined until known. */
export function useCustomers(search: string) {
  const { institutionId } = useInstitution();
  const query = { institutionId: institutionId ?? null, search, sort: "name", pageSize: OFFERED };
  const { data, isPlaceholderData } = $api.useQuery(
    "get",
    "/api/customers",
    { params: { query } },
    {
      enabled: search.length >= LEAST && Boolean(institutionId),
      placeholderData: keepPreviousData,
    },
  );
  const isKnown = data !== undefined && !isPlaceholderData && search.length >= LEAST;
  return isKnown ? data.items : undefined;
}

/** The customer with this address; null for a new one, undefined until that is known. */
export function useCustomerAt(address: string): Customer | null | undefined {
  const typed = address.trim();
  const customers = useCustomers(typed);
  if (!EMAIL.test(typed)) return undefined;
  return customers && (customers.find(({ email }) => email === typed.toLowerCase()) ?? null);
}

/** What a customer is called; undefined for one without a name. */
export const givenName = ({ name, email }: Customer): string | undefined =>
  name.toLowerCase() === email.toLowerCase() ? undefined : name;
