import { t } from "@lingui/core/macro";
import IconButton from "@mui/material/IconButton";
import { number } from "../formats";
import { BackIcon, ForwardIcon } from "../icons";
import styles from "./list.module.css";
import { PAGE_SIZES, useListContext } from "./useList";

/** The pages of a list: what is shown of how much, and how much a page holds. */
export function Pager() {
  const { total = 0, page, setPage, pageSize, setPageSize } = useListContext();
  const first = (page - 1) * pageSize + 1;
  const last = Math.min(page * pageSize, total);
  if (total <= (PAGE_SIZES[0] ?? 0)) return null;
  return (
    <nav aria-label={t`Pages`} className={styles.pager}>
      <label className={styles.size}>
        {t`Rows per page`}
        <select value={pageSize} onChange={(event) => setPageSize(Number(event.target.value))}>
          {PAGE_SIZES.map((size) => (
            <option key={size}>{size}</option>
          ))}
        </select>
      </label>
      <span className={styles.range}>
        {t`${{ first: number(first) }}–${{ last: number(last) }} of ${{ total: number(total) }}`}
      </span>
      <IconButton
        size="small"
        aria-label={t`Previous page`}
        disabled={page === 1}
        onClick={() => setPage(page - 1)}
      >
        <BackIcon />
      </IconButton>
      <IconButton
        size="small"
        aria-label={t`Next page`}
        disabled={last >= total}
        onClick={() => setPage(page + 1)}
      >
        <ForwardIcon />
      </IconButton>
    </nav>
  );
}
