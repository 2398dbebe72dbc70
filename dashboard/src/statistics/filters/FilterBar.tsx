import { t } from "@lingui/core/macro";
import Box from "@mui/material/Box";
import Stack from "@mui/material/Stack";
import ToggleButton from "@mui/material/ToggleButton";
import ToggleButtonGroup from "@mui/material/ToggleButtonGroup";
import { DateFilterField } from "../../ui/DateFilterField";
import { ProductPicker } from "../../ui/ProductPicker";
import { LENGTHS, todayUtc } from "./period";
import { useFilters } from "./useFilters";

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
    <Stack
      role="search"
      aria-label={t`Statistics`}
      direction={{ xs: "column", md: "row" }}
      sx={{
        gap: 1.5,
        mb: 2,
        alignItems: { md: "flex-start" },
        "& .MuiFormControl-root": { m: 0 },
      }}
    >
      <ToggleButtonGroup
        exclusive
        aria-label={t`Period`}
        value={length ?? "custom"}
        onChange={(_, choice: number | "custom" | null) => {
          if (choice === "custom") chooseDays({ from, to }, false);
          else if (choice !== null) chooseLength(choice);
        }}
        sx={{
          bgcolor: "background.paper",
          "& .MuiToggleButton-root": {
            flex: { xs: 1, md: "none" },
            px: { xs: 0.5, sm: 1.5 },
            height: 38,
            whiteSpace: "nowrap",
          },
        }}
      >
        {LENGTHS.map((days) => (
          <ToggleButton key={days} value={days}>
            {NAMES[days]}
          </ToggleButton>
        ))}
        <ToggleButton value="custom">{t`Custom`}</ToggleButton>
      </ToggleButtonGroup>
      {length === null && <DayFields />}
      <Box sx={{ width: { xs: "100%", md: 260 } }}>
        <ProductPicker
          value={filters.productId}
          onChange={(productId) => {
            change({ productId });
          }}
        />
      </Box>
    </Stack>
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
      sx={{ flex: 1, minWidth: 140 }}
    />
  );
  return (
    <Stack direction="row" sx={{ gap: 1 }}>
      {field(t({ message: "From", context: "date" }), from, (day) => {
        chooseDays({ from: day, to }, true);
      })}
      {field(t({ message: "To", context: "date" }), to, (day) => {
        chooseDays({ from, to: day }, true);
      })}
    </Stack>
  );
}
