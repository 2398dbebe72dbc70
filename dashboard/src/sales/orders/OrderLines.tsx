import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { date } from "../../ui/formats";
import { Item, ItemList } from "../../ui/ItemList";
import { lineWords } from "../../ui/orders";
import { Section } from "../../ui/Section";
import { licensesText, type OrderDetails } from "../order";
import { PolicyName } from "../rules/PolicyName";

type Line = OrderDetails["lines"][number];

interface GivesProps {
  line: Line;
  isUnmatched: boolean;
}

const Gives = ({ line, isUnmatched }: GivesProps) => {
  const { price, product, policyId, licenseIds } = line;
  const licenses = licensesText(licenseIds.length);
  return (
    <>
      {price !== null && product !== null && <>{t`Product ${product}`} · </>}
      {policyId ? (
        <Trans>
          {licenses} under the policy <PolicyName policyId={policyId} />
        </Trans>
      ) : isUnmatched ? (
        t`No license yet`
      ) : (
        t`No license`
      )}
    </>
  );
};

/** What was sold, until when it is paid, and what the buyer gets for it. */
export const OrderLines = ({ order: { lines, status } }: { order: OrderDetails }) => (
  <Section title={t`What was sold`}>
    {lines.length === 0 ? (
      t`No event has reported yet what was sold.`
    ) : (
      <ItemList label={t`What was sold`}>
        {lines.map((line, place) => (
          <Item
            key={place}
            title={lineWords(line)}
            detail={<Gives line={line} isUnmatched={status === "Unmatched"} />}
            end={line.periodEnd ? t`Paid until ${{ day: date(line.periodEnd) }}` : t`Paid once`}
          />
        ))}
      </ItemList>
    )}
  </Section>
);
