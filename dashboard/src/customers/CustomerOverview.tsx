import { t } from "@lingui/core/macro";
import Link from "@mui/material/Link";
import { Link as RouterLink } from "react-router";
import { DescriptionList } from "../ui/DescriptionList";
import { dateTime, number } from "../ui/formats";
import { Markdown } from "../ui/Markdown";
import { Column } from "../ui/layout/layout";
import { Section } from "../ui/Section";
import type { Customer } from "./customer";

/** Who the customer is. */
export const CustomerOverview = ({ customer }: { customer: Customer }) => (
  <Column gap="l">
    <Section title={t`Customer`}>
      <DescriptionList
        facts={[
          [
            t`Email address`,
            <Link key="" href={`mailto:${customer.email}`}>
              {customer.email}
            </Link>,
          ],
          [t`Company`, customer.company],
          [t`Reference`, customer.externalReference],
          [t`Language`, customer.locale],
          [
            t`Licenses`,
            <Link key="" component={RouterLink} to={`/customers/${customer.id}/licenses`}>
              {number(customer.licenseCount)}
            </Link>,
          ],
          [t`Created`, dateTime(customer.createdAt)],
          [t`Last updated`, dateTime(customer.updatedAt)],
          ...Object.entries(customer.metadata).map(([name, value]) => [name, value] as const),
        ]}
      />
    </Section>
    {customer.notes && (
      <Section title={t`Notes`} subtitle={t`For your team only; customers cannot see them.`}>
        <Markdown>{customer.notes}</Markdown>
      </Section>
    )}
  </Column>
);
