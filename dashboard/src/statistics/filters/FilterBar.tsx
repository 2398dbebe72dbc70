import { t } from "@lingui/core/macro";
import ToggleButton from "@mui/material/ToggleButton";
import ToggleButtonGroup from "@mui/material/ToggleButtonGroup";
import { DateFilterField } from "../../ui/DateFilterField";
import { todayUtc } from "../../ui/charts/days";
import { Row } from "../../ui/layout/layout";
import { ProductPicker } from "../../ui/ProductPicker";
import styles from "./filters.module.css";
import { LENGTHS, useFilters } from "./useFilters";

const NAMES: Record<(typeof LENGTHS)[number], string> = {
  7: t`7 days`,
  30: t`30 days`,
  90: t`90 days`,
  365: t`1 year`,
};

/** Period and product filters for all tabs. */
export function FilterBar() {
  const { filters, change, chooseLength, chooseDays } = useFilters();
  const { from, to, length } = filters;
  return (
    <div role="search" aria-label={t`Statistics`} className={styles.bar}>
      <ToggleButtonGroup
        exclusive
        aria-label={t`Period`}
        value={length ?? "custom"}
        onChange={(_, choice: number | "custom" | null) => {
          if (choice === "custom") chooseDays({ from, to }, false);
          else if (choice !== null) chooseLength(choice);
        }}
        className={styles.period}
      >
        {LENGTHS.map((days) => (
          <ToggleButton key={days} value={days}>
            {NAMES[days]}
          </ToggleButton>
        ))}
        <ToggleButton value="custom">{t({ message: "Custom", context: "period" })}</ToggleButton>
      </ToggleButtonGroup>
      {length === null && <DayFields />}
      <div className={styles.product}>
        <ProductPicker
          all={t`All products`}
          value={filters.productId}
          onChange={(productId) => change({ productId })}
        />
      </div>
    </div>
  );
}

function DayFields() {
  const { filters, chooseDays } = useFilters();
  const { from, to, fault } = filters;
  const field = (label: string, value: string, choose: (day: string) => void) => (
    <DateFilterField
      label={label}
      value={value}
      error={fault !== null}
      onChange={choose}
      range={{ min: "2000-01-01", max: todayUtc() }}
      className={styles.day}
    />
  );
  return (
    <Row gap="s" align="start">
      {field(t({ message: "From", context: "date" }), from, (day) =>
        chooseDays({ from: day, to }, true),
      )}
      {field(t({ message: "To", context: "date" }), to, (day) =>
        chooseDays({ from, to: day }, true),
      )}
    </Row>
  );
}
