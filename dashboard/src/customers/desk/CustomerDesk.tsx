import { Column } from "../../ui/layout/layout";
import { useCan } from "../../ui/useInstitution";
import type { Customer } from "../customer";
import { CustomerNotes } from "./CustomerEvents";
import { CustomerFacts } from "./CustomerFacts";
import { CustomerDevices, CustomerEmails, CustomerLicenses, CustomerOrders } from "./CustomerLists";

/** All that support needs of a customer at once; lists without items are left out. */
export function CustomerDesk({ customer }: { customer: Customer }) {
  const { manage } = useCan(customer.institutionId);
  return (
    <Column gap="l">
      <CustomerFacts customer={customer} />
      <CustomerLicenses customer={customer} manage={manage} />
      <CustomerNotes customer={customer} />
      <CustomerOrders customer={customer} />
      {manage && <CustomerDevices customer={customer} />}
      {manage && <CustomerEmails customer={customer} />}
    </Column>
  );
}
