import { date, number } from "../../ui/formats";
import { Item, ItemList } from "../../ui/ItemList";
import { lineWords } from "../../ui/orders";
import { Section } from "../../ui/Section";
import type { OrderDetails } from "../order";
import { PolicyName } from "../rules/PolicyName";

type Line = OrderDetails["lines"][number];

const licenses = (count: number) => `${number(count)} ${count === 1 ? "license" : "licenses"}`;

interface GivesProps {
  line: Line;
  isUnmatched: boolean;
}

const Gives = ({ line, isUnmatched }: GivesProps) => {
  const { price, product, policyId, licenseIds } = line;
  return (
    <>
      {price !== null && product !== null && `Product ${product} · `}
      {policyId ? (
        <>
          {licenses(licenseIds.length)} under the policy <PolicyName policyId={policyId} />
        </>
      ) : isUnmatched ? (
        "No license yet"
      ) : (
        "No license"
      )}
    </>
  );
};

/** What was sold, until when it is paid, and what the buyer gets for it. */
export const OrderLines = ({ order: { lines, status } }: { order: OrderDetails }) => (
  <Section title="What was sold">
    {lines.length === 0 ? (
      "No event has said yet what was sold."
    ) : (
      <ItemList label="What was sold">
        {lines.map((line, place) => (
          <Item
            key={place}
            title={lineWords(line)}
            detail={<Gives line={line} isUnmatched={status === "Unmatched"} />}
            end={line.periodEnd ? `Paid until ${date(line.periodEnd)}` : "Paid once"}
          />
        ))}
      </ItemList>
    )}
  </Section>
);
