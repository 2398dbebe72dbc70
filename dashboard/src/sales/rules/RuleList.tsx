import { t } from "@lingui/core/macro";
import { Item, ItemList } from "../../ui/ItemList";
import { RowActions } from "../../ui/RowActions";
import { PolicyName } from "./PolicyName";
import { byPrecision, matchWords, QUANTITY_WORDS, type SaleRule } from "./rule";

interface RuleListProps {
  rules: readonly SaleRule[];
  onEdit: (rule: SaleRule) => void;
  onDelete: (rule: SaleRule) => void;
}

const Gives = ({ rule }: { rule: SaleRule }) =>
  rule.policyId === null ? (
    t`No license`
  ) : (
    <>
      <PolicyName policyId={rule.policyId} /> · {QUANTITY_WORDS[rule.quantityAs]}
    </>
  );

/** Rules in the order in which they count. */
export const RuleList = ({ rules, onEdit, onDelete }: RuleListProps) => (
  <ItemList label={t`Rules`}>
    {byPrecision(rules).map((rule) => {
      const words = matchWords(rule.match);
      return (
        <Item
          key={JSON.stringify(rule.match)}
          title={words}
          detail={<Gives rule={rule} />}
          end={
            <RowActions name={words} onEdit={() => onEdit(rule)} onDelete={() => onDelete(rule)} />
          }
        />
      );
    })}
  </ItemList>
);
