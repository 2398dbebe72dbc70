import { plural, t } from "@lingui/core/macro";
import Link from "@mui/material/Link";
import { Link as RouterLink } from "react-router";
import { date } from "../../ui/formats";
import { Item, ItemList } from "../../ui/ItemList";
import { Section } from "../../ui/Section";
import { StatusChip } from "../../ui/StatusChip";
import type { OrderDetails } from "../order";

/** The licenses that the order has, or once had. */
export function OrderLicenses({ order: { licenses, licenseIds } }: { order: OrderDetails }) {
  const deleted = licenseIds.length - licenses.length;
  return (
    <Section title={t`Licenses`}>
      {licenses.length === 0 && deleted === 0 && t`The buyer has no licenses from this order.`}
      {licenses.length > 0 && (
        <ItemList label={t`Licenses`}>
          {licenses.map(({ id, licenseName, status, expirationDate }) => (
            <Item
              key={id}
              title={
                <Link component={RouterLink} to={`/licenses/${id}`}>
                  {licenseName}
                </Link>
              }
              detail={
                expirationDate ? t`Expires ${{ day: date(expirationDate) }}` : t`Does not expire`
              }
              end={<StatusChip status={status} />}
            />
          ))}
        </ItemList>
      )}
      {deleted > 0 &&
        plural(deleted, { one: "# license was deleted.", other: "# licenses were deleted." })}
    </Section>
  );
}
