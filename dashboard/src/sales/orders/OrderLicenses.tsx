import Link from "@mui/material/Link";
import { Link as RouterLink } from "react-router";
import { date, number } from "../../ui/formats";
import { Item, ItemList } from "../../ui/ItemList";
import { Section } from "../../ui/Section";
import { StatusChip } from "../../ui/StatusChip";
import type { OrderDetails } from "../order";

/** The licenses that the order has, or once had. */
export function OrderLicenses({ order: { licenses, licenseIds } }: { order: OrderDetails }) {
  const deleted = licenseIds.length - licenses.length;
  return (
    <Section title="Licenses">
      {licenses.length === 0 && deleted === 0 && "The buyer has no licenses from this order."}
      {licenses.length > 0 && (
        <ItemList label="Licenses">
          {licenses.map(({ id, licenseName, status, expirationDate }) => (
            <Item
              key={id}
              title={
                <Link component={RouterLink} to={`/licenses/${id}`}>
                  {licenseName}
                </Link>
              }
              detail={expirationDate ? `Expires ${date(expirationDate)}` : "Does not expire"}
              end={<StatusChip status={status} />}
            />
          ))}
        </ItemList>
      )}
      {deleted > 0 &&
        `${number(deleted)} ${deleted === 1 ? "license was" : "licenses were"} deleted.`}
    </Section>
  );
}
