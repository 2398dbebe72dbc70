import { t } from "@lingui/core/macro";
import IconButton from "@mui/material/IconButton";
import TextField, { type TextFieldProps } from "@mui/material/TextField";
import { useEffect, useRef, useState, type KeyboardEvent } from "react";
import { utcDay, utcTime } from "../formats";
import { CalendarIcon } from "../icons";
import { floating } from "../lazy";
import { isDay, isMoment, readDay, readMoment } from "./readDate";

const Calendar = floating(() => import("./Calendar"));

/** How a date is read from what people type, and written for them. */
interface Writing {
  read: (text: string, earliest?: string, from?: Date) => string | null;
  write: (date: string) => string;
  isDate: (text: string) => boolean;
}

/** `YYYY-MM-DD`, and with a time of UTC `YYYY-MM-DDTHH:MM`. */
export const WRITINGS = {
  day: { read: readDay, write: utcDay, isDate: isDay },
  moment: { read: readMoment, write: (date) => utcTime(`${date}Z`), isDate: isMoment },
} satisfies Record<string, Writing>;

export type DateInputProps = Omit<TextFieldProps, "type" | "value" | "onChange"> & {
  /** A date; empty for none. What is typed and is no date is the value as it is. */
  value: string;
  onChange: (value: string) => void;
  writing?: keyof typeof WRITINGS;
  /** The earliest and the latest day that the calendar offers. */
  range?: { min?: string; max?: string } | undefined;
  /** The instant from which a distance counts that is typed, such as "+30 days"; else now. */
  from?: string | null;
};

/**
 * A date as the user's locale writes it. It is typed in many forms ("31.12.2026", "+30 days"), or
 * chosen in a calendar, which the arrow down opens.
 */
export function DateInput(props: DateInputProps) {
  const { value, onChange, writing = "day", range = {}, from, slotProps, onBlur, ...rest } = props;
  const { read, write, isDate } = WRITINGS[writing];
  const [typed, setTyped] = useState<string | null>(null);
  const [anchor, setAnchor] = useState<HTMLElement | null>(null);
  const field = useRef<HTMLDivElement>(null);
  useEffect(() => {
    // What is typed replaces the date that is there, also one that came after the focus.
    const input = field.current?.querySelector("input");
    if (typed === null && input === document.activeElement) input?.select();
  }, [value, typed]);
  const open = () => {
    setTyped(null);
    setAnchor(field.current);
  };
  const type = (text: string) => {
    setTyped(text);
    const start = from ? new Date(from) : new Date();
    onChange(text.trim() === "" ? "" : (read(text, range.min, start) ?? text));
  };
  const choose = (day: string) => {
    setAnchor(null);
    onChange(writing === "day" ? day : `${day}T${isDate(value) ? value.slice(11) : "00:00"}`);
  };
  const openByKey = (event: KeyboardEvent) => {
    if (event.key !== "ArrowDown" || rest.disabled) return;
    event.preventDefault();
    open();
  };
  return (
    <>
      <TextField
        autoComplete="off"
        {...rest}
        ref={field}
        data-date=""
        value={typed ?? (isDate(value) ? write(value) : value)}
        onChange={(event) => type(event.target.value)}
        onKeyDown={openByKey}
        onFocus={(event) => event.target.select()}
        onBlur={(event) => {
          setTyped(null);
          onBlur?.(event);
        }}
        slotProps={{
          ...slotProps,
          input: {
            endAdornment: (
              <IconButton
                edge="end"
                size="small"
                aria-label={t`Open calendar`}
                disabled={rest.disabled === true}
                onClick={open}
              >
                <CalendarIcon />
              </IconButton>
            ),
          },
        }}
      />
      <Calendar
        open={anchor !== null}
        anchor={anchor}
        day={isDate(value) ? value.slice(0, 10) : ""}
        range={range}
        onChoose={choose}
        onClose={() => setAnchor(null)}
      />
    </>
  );
}
