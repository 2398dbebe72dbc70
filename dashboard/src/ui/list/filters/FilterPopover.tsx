import { t } from "@lingui/core/macro";
import Popover from "@mui/material/Popover";
import type { ComponentType } from "react";
import { DateField } from "../../dates/DateField";
import { dayOf, endOfDay } from "../../days";
import { Form, SubmitButton } from "../../form/Form";
import { FormField } from "../../form/FormField";
import { useApiForm } from "../../form/useApiForm";
import { ProductPicker } from "../../ProductPicker";
import { TagInput } from "../../tags/TagInput";
import { useInstitution } from "../../useInstitution";
import { useListContext } from "../useList";
import { type Editor, type EditorProps, type FilterKind, given } from "./filter";
import styles from "./filters.module.css";

interface FilterPopoverProps {
  kind: FilterKind;
  anchor: () => Element | null;
  onClose: () => void;
}

/** What the value of a filter is typed or picked in. */
export default function FilterPopover({ kind, anchor, onClose }: FilterPopoverProps) {
  const { editor } = kind;
  const Fields = typeof editor === "string" ? EDITORS[editor] : editor;
  return (
    <Popover
      open
      anchorEl={anchor}
      onClose={onClose}
      anchorOrigin={{ vertical: "bottom", horizontal: "left" }}
      slotProps={{
        paper: {
          role: "dialog",
          "aria-label": t`Filter: ${{ filter: kind.label }}`,
          className: styles.editor,
        },
      }}
    >
      {Fields && <Fields kind={kind} onDone={onClose} />}
    </Popover>
  );
}

function PickedProduct({ kind, onDone }: EditorProps) {
  const { filters, setFilters } = useListContext();
  return (
    <div className={styles.editorForm}>
      <ProductPicker
        autoFocus
        openOnFocus
        value={filters[kind.name] ?? null}
        onChange={(productId) => {
          setFilters(given(kind, productId));
          if (productId) onDone();
        }}
      />
    </div>
  );
}

function PickedTag({ kind, onDone }: EditorProps) {
  const { institutionId } = useInstitution();
  const { filters, setFilters } = useListContext();
  return (
    <div className={styles.editorForm}>
      <TagInput
        of={kind.tagged ?? "licenses"}
        institutionId={institutionId ?? null}
        label={kind.label}
        value={filters[kind.name] ?? ""}
        autoFocus
        openOnFocus
        onChange={(tag) => {
          setFilters(given(kind, tag || null));
          if (tag) onDone();
        }}
      />
    </div>
  );
}

function TypedText({ kind, onDone }: EditorProps) {
  const { filters, setFilters } = useListContext();
  const form = useApiForm({
    values: { value: filters[kind.name] ?? "" },
    send: ({ value }) => {
      setFilters(given(kind, value.trim() || null));
      return Promise.resolve();
    },
  });
  return (
    <Form form={form} onDone={onDone}>
      <div className={styles.editorForm}>
        <FormField
          {...form.field("value")}
          autoFocus
          label={kind.label}
          demand={{ maxLength: 254 }}
        />
        <SubmitButton>{t`Done`}</SubmitButton>
      </div>
    </Form>
  );
}

/** The end of a day, as an instant. */
function PickedDay({ kind, onDone }: EditorProps) {
  const { filters, setFilters } = useListContext();
  const now = filters[kind.name];
  const form = useApiForm({
    values: { value: now ? dayOf(new Date(now)) : "" },
    send: ({ value }) => {
      setFilters(given(kind, endOfDay(value)));
      return Promise.resolve();
    },
  });
  return (
    <Form form={form} onDone={onDone}>
      <div className={styles.editorForm}>
        <DateField {...form.field("value")} autoFocus label={kind.label} />
        <SubmitButton>{t`Done`}</SubmitButton>
      </div>
    </Form>
  );
}

/** The first day and the last, either of which may be left out. */
function PickedPeriod({ onDone }: EditorProps) {
  const { filters, setFilters } = useListContext();
  const form = useApiForm({
    values: { from: filters["from"] ?? "", to: filters["to"] ?? "" },
    send: (days) => {
      setFilters(days);
      return Promise.resolve();
    },
  });
  return (
    <Form form={form} onDone={onDone}>
      <div className={styles.editorForm}>
        <DateField
          {...form.field("from")}
          autoFocus
          label={t({ message: "From", context: "date" })}
        />
        <DateField {...form.field("to")} label={t({ message: "To", context: "date" })} />
        <SubmitButton>{t`Done`}</SubmitButton>
      </div>
    </Form>
  );
}

const EDITORS: Record<Editor, ComponentType<EditorProps>> = {
  product: PickedProduct,
  tag: PickedTag,
  text: TypedText,
  day: PickedDay,
  period: PickedPeriod,
};
