import { t } from "@lingui/core/macro";
import Popover from "@mui/material/Popover";
import { DayPicker, type Labels, type Formatters } from "react-day-picker";
import { dayOf } from "../days";
import { BackIcon, ForwardIcon } from "../icons";
import { region } from "../locale/locale";
import styles from "./calendar.module.css";

const LOCALE = region();
const CAPTION = new Intl.DateTimeFormat(LOCALE, { month: "long", year: "numeric" });
const FULL = new Intl.DateTimeFormat(LOCALE, { dateStyle: "full" });
const SHORT_WEEKDAY = new Intl.DateTimeFormat(LOCALE, { weekday: "short" });
const WEEKDAY = new Intl.DateTimeFormat(LOCALE, { weekday: "long" });

type Week = Intl.Locale & { getWeekInfo?: () => { firstDay: number } };

/** The day of the week that is the first, 0 for Sunday; Monday where the browser does not know. */
const firstWeekday = () =>
  (((new Intl.Locale(LOCALE) as Week).getWeekInfo?.().firstDay ?? 1) % 7) as 0 | 1 | 6;

const FORMATTERS: Partial<Formatters> = {
  formatCaption: (month) => CAPTION.format(month),
  formatWeekdayName: (day) => SHORT_WEEKDAY.format(day),
};

const LABELS: Partial<Labels> = {
  labelNext: () => t`Next month`,
  labelPrevious: () => t`Previous month`,
  labelNav: () => t`Months`,
  labelGrid: (month) => CAPTION.format(month),
  labelWeekday: (day) => WEEKDAY.format(day),
  labelDayButton: (day, { selected }) =>
    selected ? t`${{ day: FULL.format(day) }}, selected` : FULL.format(day),
};

const Chevron = ({ orientation }: { orientation?: string }) =>
  orientation === "left" ? <BackIcon /> : <ForwardIcon />;

interface CalendarProps {
  open: boolean;
  anchor: HTMLElement | null;
  /** The day that is chosen, `YYYY-MM-DD`; empty for none. */
  day: string;
  range: { min?: string; max?: string };
  onChoose: (day: string) => void;
  onClose: () => void;
}

const midnightOf = (day: string) => new Date(`${day}T00:00:00`);

/** A calendar below a field. Arrow keys go from day to day, Page Up and Down from month to month. */
export default function Calendar(props: CalendarProps) {
  const { open, anchor, day, range, onChoose, onClose } = props;
  const selected = day === "" ? undefined : midnightOf(day);
  return (
    <Popover
      open={open}
      anchorEl={anchor}
      onClose={onClose}
      anchorOrigin={{ vertical: "bottom", horizontal: "left" }}
      slotProps={{ paper: { role: "dialog", "aria-label": t`Calendar` } }}
    >
      <DayPicker
        mode="single"
        autoFocus
        fixedWeeks
        showOutsideDays
        navLayout="around"
        weekStartsOn={firstWeekday()}
        selected={selected}
        {...(selected && { defaultMonth: selected })}
        disabled={[
          ...(range.min ? [{ before: midnightOf(range.min) }] : []),
          ...(range.max ? [{ after: midnightOf(range.max) }] : []),
        ]}
        formatters={FORMATTERS}
        labels={LABELS}
        components={{ Chevron }}
        classNames={CLASSES}
        onDayClick={(chosen) => onChoose(dayOf(chosen))}
      />
    </Popover>
  );
}

/** What the library calls its parts, and what styles them. */
const CLASSES = {
  root: styles["root"] ?? "",
  month: styles["month"] ?? "",
  month_caption: styles["caption"] ?? "",
  button_previous: styles["step"] ?? "",
  button_next: styles["step"] ?? "",
  month_grid: styles["grid"] ?? "",
  weekday: styles["weekday"] ?? "",
  day: styles["day"] ?? "",
  outside: styles["outside"] ?? "",
  today: styles["today"] ?? "",
  selected: styles["selected"] ?? "",
};
