import { t } from "@lingui/core/macro";
import Autocomplete, { createFilterOptions } from "@mui/material/Autocomplete";
import TextField from "@mui/material/TextField";
import type { FieldValues, Path } from "react-hook-form";
import type { FieldProps } from "../../ui/form/useApiForm";
import { useField } from "../../ui/form/useField";
import styles from "./settings.module.css";

const ZONES = [...new Set(["UTC", ...Intl.supportedValuesOf("timeZone")])];

const offsets = new Map<string, string | undefined>();

function readOffset(zone: string): string | undefined {
  try {
    const format = new Intl.DateTimeFormat("en", { timeZone: zone, timeZoneName: "shortOffset" });
    const part = format.formatToParts().find(({ type }) => type === "timeZoneName");
    return part?.value.replace("GMT", "UTC").replace("-", "−");
  } catch {
    return undefined;
  }
}

/** How far a time zone is from UTC now, such as "UTC+1"; undefined for one that does not exist. */
function offsetOf(zone: string): string | undefined {
  if (!offsets.has(zone)) offsets.set(zone, readOffset(zone));
  return offsets.get(zone);
}

/** People look for "new york". */
const spoken = (zone: string) => zone.replaceAll("_", " ");

const filter = createFilterOptions<string>({ stringify: (zone) => `${zone} ${spoken(zone)}` });

/** Selects the time zone in which days end; each says how far it is from UTC now. */
export function TimeZoneField<Values extends FieldValues, Name extends Path<Values>>(
  props: FieldProps<Values, Name>,
) {
  const { value, set, leave, message, ref } = useField(props, {
    check: { required: true },
    fault: (zone) =>
      zone && offsetOf(String(zone)) === undefined
        ? t`There is no such time zone. Choose one from the list.`
        : undefined,
  });
  const zone = String(value);
  const offset = offsetOf(zone);
  return (
    <Autocomplete
      autoHighlight
      clearOnBlur={false}
      disableClearable
      fullWidth
      options={ZONES}
      filterOptions={filter}
      value={zone}
      onChange={(_, chosen) => set(chosen)}
      onInputChange={(_, typed, reason) => {
        if (reason === "input") set(typed);
      }}
      onBlur={leave}
      renderOption={({ key, ...rest }, option) => (
        <li key={key} {...rest}>
          <span className={styles.zone}>{spoken(option)}</span>
          <span className={styles.offset}>{offsetOf(option)}</span>
        </li>
      )}
      renderInput={(params) => (
        <TextField
          {...params}
          required
          name={props.name}
          label={t`Time zone`}
          inputRef={ref}
          error={message !== undefined}
          helperText={
            message ??
            (offset === undefined
              ? t`Type a city, for example Berlin.`
              : t`${offset} now. An expiration date lasts until the end of its day there.`)
          }
        />
      )}
    />
  );
}
