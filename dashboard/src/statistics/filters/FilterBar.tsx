import { t } from "@lingui/core/macro";
import MenuItem from "@mui/material/MenuItem";
import TextField from "@mui/material/TextField";
import ToggleButton from "@mui/material/ToggleButton";
import ToggleButtonGroup from "@mui/material/ToggleButtonGroup";
import Tooltip from "@mui/material/Tooltip";
import { DateFilterField } from "../../ui/DateFilterField";
import { todayUtc } from "../../ui/charts/days";
import { Row } from "../../ui/layout/layout";
import { ProductPicker } from "../../ui/ProductPicker";
import { useIsPhone } from "../../ui/useMediaQuery";
import styles from "./filters.module.css";
import { LENGTHS, useFilters } from "./useFilters";

const NAMES: Record<(typeof LENGTHS)[number], string> = {
  7: t`7 days`,
  30: t`30 days`,
  90: t`90 days`,
  365: t`1 year`,
};

const CUSTOM = "custom";

/** Period and product filters for all tabs; on phones the period is a menu beside the product. */
export function FilterBar() {
  const { filters, change } = useFilters();
  const isPhone = useIsPhone();
  return (
    <div role="search" aria-label={t`Statistics`} className={styles.bar}>
      {isPhone ? <PeriodMenu /> : <PeriodButtons />}
      {!isPhone && filters.length === null && <DayFields />}
      <div className={styles.product}>
        <ProductPicker
          all={t`All products`}
          value={filters.productId}
          onChange={(productId) => change({ productId })}
        />
      </div>
      {isPhone && filters.length === null && <DayFields />}
    </div>
  );
}

/** What the period is, and a function to choose another. */
function usePeriod() {
  const { filters, chooseLength, chooseDays } = useFilters();
  const { from, to, length } = filters;
  return {
    period: length ?? CUSTOM,
    choose: (choice: number | typeof CUSTOM | null) => {
      if (choice === CUSTOM) chooseDays({ from, to }, false);
      else if (choice !== null) chooseLength(choice);
    },
  };
}

function PeriodMenu() {
  const { period, choose } = usePeriod();
  return (
    <TextField
      select
      value={period}
      onChange={({ target: { value } }) => choose(value === CUSTOM ? CUSTOM : Number(value))}
      slotProps={{ select: { inputProps: { "aria-label": t`Period` } } }}
    >
      {LENGTHS.map((days) => (
        <MenuItem key={days} value={days}>
          {NAMES[days]}
        </MenuItem>
      ))}
      <MenuItem value={CUSTOM}>{t({ message: "Custom", context: "period" })}</MenuItem>
    </TextField>
  );
}

function PeriodButtons() {
  const { period, choose } = usePeriod();
  return (
    <Tooltip title={t`Days are counted in UTC.`}>
      <ToggleButtonGroup
        exclusive
        aria-label={t`Period`}
        value={period}
        onChange={(_, choice: number | typeof CUSTOM | null) => choose(choice)}
        className={styles.period}
      >
        {LENGTHS.map((days) => (
          <ToggleButton key={days} value={days}>
            {NAMES[days]}
          </ToggleButton>
        ))}
        <ToggleButton value={CUSTOM}>{t({ message: "Custom", context: "period" })}</ToggleButton>
      </ToggleButtonGroup>
    </Tooltip>
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
    <Row gap="s" align="start" className={styles.days}>
      {field(t({ message: "From", context: "date" }), from, (day) =>
        chooseDays({ from: day, to }, true),
      )}
      {field(t({ message: "To", context: "date" }), to, (day) =>
        chooseDays({ from, to: day }, true),
      )}
    </Row>
  );
}
