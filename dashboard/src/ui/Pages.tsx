import { t } from "@lingui/core/macro";
import Pagination from "@mui/material/Pagination";
import styles from "./pages.module.css";
import { useUrlParams } from "./useUrlParams";

/** The current page of a list, from 1, from the URL parameter `page`. */
export function usePageNumber(): number {
  const given = Number(useUrlParams().params.get("page"));
  return Number.isInteger(given) && given > 0 ? given : 1;
}

/** The accessible name of a button, as MUI has it in English. */
function itemLabel(type: string, page: number | null, isCurrent: boolean): string {
  if (type === "previous") return t`Go to previous page`;
  if (type === "next") return t`Go to next page`;
  return isCurrent ? t`page ${{ page: page ?? 1 }}` : t`Go to page ${{ page: page ?? 1 }}`;
}

interface PagesProps {
  total: number | undefined;
  pageSize: number;
  /** What is listed: "Deliveries". */
  label: string;
}

/** Pagination of a list; hidden if there is only one page. */
export function Pages({ total = 0, pageSize, label }: PagesProps) {
  const page = usePageNumber();
  const { change } = useUrlParams();
  const count = Math.ceil(total / pageSize);
  if (count < 2 && page === 1) return null;
  return (
    <Pagination
      count={Math.max(count, page)}
      page={page}
      siblingCount={0}
      aria-label={t`Pages: ${label}`}
      getItemAriaLabel={itemLabel}
      onChange={(_, to) => change({ page: String(to) })}
      className={styles.pages}
    />
  );
}
