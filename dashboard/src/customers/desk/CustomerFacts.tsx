import { t } from "@lingui/core/macro";
import Link from "@mui/material/Link";
import { $api } from "../../api/client";
import { type Fact, FactList } from "../../ui/FactList";
import { date, dateTime, languageName, money } from "../../ui/formats";
import { RelativeTime } from "../../ui/RelativeTime";
import { TagChips } from "../../ui/tags/TagChips";
import type { Customer } from "../customer";
import styles from "./facts.module.css";

interface CustomerProps {
  customer: Customer;
}

export const MailLink = ({ customer: { email } }: CustomerProps) => (
  <Link href={`mailto:${email}`}>{email}</Link>
);

/** What became of the customer so far; undefined until it is known. */
function useFigures({ id, institutionId }: Customer) {
  const query = { institutionId, id: [id], pageSize: 1 };
  const { data } = $api.useQuery("get", "/api/customers", { params: { query } });
  return data?.items[0];
}

/** Who the customer is beyond what the head of the page says, what they paid, and when they came. */
export function CustomerFacts({ customer }: CustomerProps) {
  const { company, externalReference, locale, tags, metadata } = customer;
  const figures = useFigures(customer);
  const paid = figures?.paid ?? [];
  const facts: (Fact | false)[] = [
    customer.name === customer.email && [t`Email address`, <MailLink key="" customer={customer} />],
    company !== null && [
      t`Company`,
      <span key="" dir="auto">
        {company}
      </span>,
    ],
    paid.length > 0 && [t`Paid`, paid.map(({ net, currency }) => money(net, currency)).join(", ")],
    figures?.lastSeenAt != null && [t`Last seen`, <RelativeTime key="" at={figures.lastSeenAt} />],
    [
      t`Customer since`,
      <span key="" title={dateTime(customer.createdAt)}>
        {date(customer.createdAt)}
      </span>,
    ],
    externalReference !== null && [t`Reference`, externalReference],
    locale !== null && [t`Language`, languageName(locale)],
    tags.length > 0 && [t`Tags`, <TagChips key="" tags={tags} />],
    ...Object.entries(metadata),
  ];
  return <FactList facts={facts} className={styles.facts} label={t`Customer`} />;
}
