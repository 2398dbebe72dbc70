import Link from "@mui/material/Link";
import Stack from "@mui/material/Stack";
import { Link as RouterLink } from "react-router";
import { DescriptionList } from "../ui/DescriptionList";
import { dateTime, number } from "../ui/formats";
import { Markdown } from "../ui/Markdown";
import { Section } from "../ui/Section";
import type { Customer } from "./customer";

/** Who the customer is. */
export const CustomerOverview = ({ customer }: { customer: Customer }) => (
  <Stack sx={{ gap: 2.5 }}>
    <Section title="Customer">
      <DescriptionList
        facts={[
          [
            "Email address",
            <Link key="" href={`mailto:${customer.email}`}>
              {customer.email}
            </Link>,
          ],
          ["Company", customer.company],
          ["Reference", customer.externalReference],
          ["Language", customer.locale],
          [
            "Licenses",
            <Link key="" component={RouterLink} to={`/customers/${customer.id}/licenses`}>
              {number(customer.licenseCount)}
            </Link>,
          ],
          ["Created", dateTime(customer.createdAt)],
          ["Last updated", dateTime(customer.updatedAt)],
          ...Object.entries(customer.metadata).map(([name, value]) => [name, value] as const),
        ]}
      />
    </Section>
    {customer.notes && (
      <Section title="Notes" subtitle="For your team only; customers cannot see them.">
        <Markdown>{customer.notes}</Markdown>
      </Section>
    )}
  </Stack>
);
