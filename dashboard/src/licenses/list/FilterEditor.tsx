import { t } from "@lingui/core/macro";
import Button from "@mui/material/Button";
import TextField from "@mui/material/TextField";
import { useState, type FormEvent } from "react";
import { ProductPicker } from "../../ui/ProductPicker";
import { dayOf, endOfDay } from "../../ui/days";
import type { FilterKind } from "./filterKinds";
import styles from "./licenseList.module.css";
import { useLicenseList } from "./useLicenseList";

interface FilterEditorProps {
  kind: FilterKind;
  onDone: () => void;
}

/** The value of a filter that is typed or picked; the list follows once it is whole. */
export function FilterEditor({ kind, onDone }: FilterEditorProps) {
  const { filters, setFilters } = useLicenseList();
  const isDay = kind.name === "expiringBefore";
  const now = filters[kind.name];
  const [text, setText] = useState(now && isDay ? dayOf(new Date(now)) : (now ?? ""));
  if (kind.name === "productId")
    return (
      <div className={styles.editorForm}>
        <ProductPicker
          value={filters["productId"] ?? null}
          onChange={(productId) => {
            setFilters({ productId });
            if (productId) onDone();
          }}
        />
      </div>
    );
  const finish = (event: FormEvent) => {
    event.preventDefault();
    setFilters(
      isDay
        ? { expiringBefore: endOfDay(text), expiringWithin: null }
        : { [kind.name]: text.trim() },
    );
    onDone();
  };
  return (
    <form className={styles.editorForm} onSubmit={finish}>
      <TextField
        autoFocus
        label={kind.label}
        type={isDay ? "date" : "text"}
        value={text}
        onChange={(event) => {
          setText(event.target.value);
        }}
        slotProps={{ htmlInput: { maxLength: 254 } }}
      />
      <Button type="submit" variant="contained">
        {t`Done`}
      </Button>
    </form>
  );
}
