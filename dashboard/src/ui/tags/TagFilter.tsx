import { t } from "@lingui/core/macro";
import { useListContext } from "../list/useList";
import { type Tagged, useKnownTags } from "./knownTags";
import { TagInput } from "./TagInput";
import styles from "./tagFilter.module.css";

interface TagFilterProps {
  of: Tagged;
  institutionId: string | null;
}

/** Filters the list by a tag, once there are tags. */
export function TagFilter({ of, institutionId }: TagFilterProps) {
  const { filters, setFilters } = useListContext();
  const { tag = "" } = filters;
  const known = useKnownTags(of, institutionId);
  if (known.length === 0 && tag === "") return null;
  return (
    <div className={styles.tag}>
      <TagInput
        of={of}
        institutionId={institutionId}
        label={t`Tag`}
        value={tag}
        onChange={(chosen) => setFilters({ tag: chosen })}
      />
    </div>
  );
}
