import { t } from "@lingui/core/macro";
import Popover from "@mui/material/Popover";
import { DateField } from "../../ui/dates/DateField";
import { dayOf, endOfDay } from "../../ui/days";
import { Form, SubmitButton } from "../../ui/form/Form";
import { FormField } from "../../ui/form/FormField";
import { useApiForm } from "../../ui/form/useApiForm";
import { ProductPicker } from "../../ui/ProductPicker";
import { TagInput } from "../../ui/tags/TagInput";
import { useInstitution } from "../../ui/useInstitution";
import type { FilterKind } from "./filterKinds";
import styles from "./licenseList.module.css";
import { useLicenseList } from "./useLicenseList";

interface FilterPopoverProps {
  kind: FilterKind;
  anchor: () => Element | null;
  onClose: () => void;
}

/** What the value of a filter is typed or picked in. */
export default function FilterPopover({ kind, anchor, onClose }: FilterPopoverProps) {
  return (
    <Popover
      open
      anchorEl={anchor}
      onClose={onClose}
      anchorOrigin={{ vertical: "bottom", horizontal: "left" }}
      slotProps={{
        paper: {
          role: "dialog",
          "aria-label": kind.editor,
          className: styles.editor,
        },
      }}
    >
      <FilterEditor kind={kind} onDone={onClose} />
    </Popover>
  );
}

interface FilterEditorProps {
  kind: FilterKind;
  onDone: () => void;
}

/** The value of a filter that is typed or picked; the list follows once it is whole. */
const FilterEditor = ({ kind, onDone }: FilterEditorProps) =>
  kind.name === "productId" ? (
    <PickedProduct onDone={onDone} />
  ) : kind.name === "tag" ? (
    <PickedTag kind={kind} onDone={onDone} />
  ) : (
    <TypedFilter kind={kind} onDone={onDone} />
  );

function PickedProduct({ onDone }: Pick<FilterEditorProps, "onDone">) {
  const { filters, setFilters } = useLicenseList();
  return (
    <div className={styles.editorForm}>
      <ProductPicker
        autoFocus
        openOnFocus
        value={filters["productId"] ?? null}
        onChange={(productId) => {
          setFilters({ productId });
          if (productId) onDone();
        }}
      />
    </div>
  );
}

function PickedTag({ kind, onDone }: FilterEditorProps) {
  const { institutionId } = useInstitution();
  const { filters, setFilters } = useLicenseList();
  return (
    <div className={styles.editorForm}>
      <TagInput
        of="licenses"
        institutionId={institutionId ?? null}
        label={kind.label}
        value={filters["tag"] ?? ""}
        autoFocus
        openOnFocus
        onChange={(tag) => {
          setFilters({ tag });
          if (tag) onDone();
        }}
      />
    </div>
  );
}

function TypedFilter({ kind, onDone }: FilterEditorProps) {
  const { filters, setFilters } = useLicenseList();
  const isDay = kind.name === "expiringBefore";
  const now = filters[kind.name];
  const form = useApiForm({
    values: { value: now && isDay ? dayOf(new Date(now)) : (now ?? "") },
    send: ({ value }) => {
      setFilters(
        isDay
          ? { expiringBefore: endOfDay(value), expiringWithin: null }
          : { [kind.name]: value.trim() },
      );
      return Promise.resolve();
    },
  });
  return (
    <Form form={form} onDone={onDone}>
      <div className={styles.editorForm}>
        {isDay ? (
          <DateField {...form.field("value")} autoFocus label={kind.label} />
        ) : (
          <FormField
            {...form.field("value")}
            autoFocus
            label={kind.label}
            demand={{ maxLength: 254 }}
          />
        )}
        <SubmitButton>{t`Done`}</SubmitButton>
      </div>
    </Form>
  );
}
