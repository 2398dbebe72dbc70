import { t } from "@lingui/core/macro";
import { Suspense } from "react";
import { lazy } from "../lazy";
import { useListContext } from "../list/useList";
import { type Tagged, useKnownTags } from "./knownTags";
import styles from "./tagFilter.module.css";

// What it is made of would double what a list loads.
const TagInput = lazy(() => import("./TagInput").then((found) => ({ default: found.TagInput })));

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
    <div className={styles.tag} data-labeled>
      <Suspense fallback={null}>
        <TagInput
          of={of}
          institutionId={institutionId}
          label={t`Tag`}
          value={tag}
          onChange={(chosen) => setFilters({ tag: chosen })}
        />
      </Suspense>
    </div>
  );
}
