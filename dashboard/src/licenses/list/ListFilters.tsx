import SearchIcon from "@mui/icons-material/Search";
import TuneIcon from "@mui/icons-material/Tune";
import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import InputAdornment from "@mui/material/InputAdornment";
import MenuItem from "@mui/material/MenuItem";
import Stack from "@mui/material/Stack";
import TextField from "@mui/material/TextField";
import useMediaQuery from "@mui/material/useMediaQuery";
import type { Theme } from "@mui/material/styles";
import { useState } from "react";
import { LICENSE_STATUSES, LICENSE_TYPES } from "../../api/types";
import { MODEL_LABELS } from "../../ui/labels";
import { endOfDay, dayOf } from "../days";
import { DateFilterField } from "../../ui/DateFilterField";
import { ProductPicker } from "../../ui/ProductPicker";
import { ActiveFilters } from "./ActiveFilters";
import { SearchField } from "./SearchField";
import { useLicenseList } from "./useLicenseList";

interface ChoiceProps {
  label: string;
  value: string | undefined;
  choices: readonly (readonly [value: string, label: string])[];
  onChange: (value: string) => void;
}

const Choice = ({ label, value = "", choices, onChange }: ChoiceProps) => (
  <TextField
    select
    label={label}
    value={choices.some(([known]) => known === value) ? value : ""}
    onChange={(event) => {
      onChange(event.target.value);
    }}
  >
    <MenuItem value="">Any</MenuItem>
    {choices.map(([known, shown]) => (
      <MenuItem key={known} value={known}>
        {shown}
      </MenuItem>
    ))}
  </TextField>
);

/** The filters of the list, which are stored in the URL. */
export function ListFilters() {
  const { filters, setFilter } = useLicenseList();
  const hasRoom = useMediaQuery((theme: Theme) => theme.breakpoints.up("md"));
  const [open, setOpen] = useState(false);
  return (
    <Stack role="search" aria-label="Licenses" sx={{ gap: 1.5, mb: 2 }}>
      <Stack direction="row" sx={{ gap: 1 }}>
        <SearchField
          label="Search"
          placeholder="Name, email address, issuer or key"
          value={filters.search ?? ""}
          onSearch={(search) => {
            setFilter({ search });
          }}
          sx={{ flex: 1, maxWidth: 480 }}
          slotProps={{
            htmlInput: { type: "search", maxLength: 200 },
            input: {
              startAdornment: (
                <InputAdornment position="start">
                  <SearchIcon fontSize="small" />
                </InputAdornment>
              ),
            },
          }}
        />
        {!hasRoom && (
          <Button
            startIcon={<TuneIcon />}
            aria-expanded={open}
            onClick={() => {
              setOpen(!open);
            }}
          >
            Filters
          </Button>
        )}
      </Stack>
      {(open || hasRoom) && (
        <Box
          sx={{
            display: "grid",
            gap: 1.5,
            gridTemplateColumns: "repeat(auto-fit, minmax(min(100%, 145px), 1fr))",
          }}
        >
          <Choice
            label="Status"
            value={filters.status}
            choices={LICENSE_STATUSES.map((status) => [status, status])}
            onChange={(status) => {
              setFilter({ status });
            }}
          />
          <Choice
            label="Model"
            value={filters.type}
            choices={LICENSE_TYPES.map((type) => [type, MODEL_LABELS[type]])}
            onChange={(type) => {
              setFilter({ type });
            }}
          />
          <ProductPicker
            value={filters.productId ?? null}
            onChange={(productId) => {
              setFilter({ productId });
            }}
          />
          <SearchField
            label="Issued to"
            value={filters.issuedTo ?? ""}
            onSearch={(issuedTo) => {
              setFilter({ issuedTo: issuedTo.trim() });
            }}
            slotProps={{ htmlInput: { inputMode: "email", maxLength: 254 } }}
          />
          <Choice
            label="Expires"
            value={filters.expiringWithin === undefined ? "" : String(filters.expiringWithin)}
            choices={[
              ["7", "Within 7 days"],
              ["30", "Within 30 days"],
              ["90", "Within 90 days"],
            ]}
            onChange={(days) => {
              setFilter({ expiringWithin: days && Number(days), expiringBefore: null });
            }}
          />
          <DateFilterField
            label="Expires by"
            value={filters.expiringBefore ? dayOf(new Date(filters.expiringBefore)) : ""}
            onChange={(day) => {
              setFilter({ expiringBefore: endOfDay(day), expiringWithin: null });
            }}
          />
        </Box>
      )}
      <ActiveFilters />
    </Stack>
  );
}
