import { t } from "@lingui/core/macro";
import Button from "@mui/material/Button";
import { type RefObject, Suspense, useEffect, useRef, useState } from "react";
import { ExpandIcon, SaveViewIcon, SharedIcon } from "../../icons";
import { lazy } from "../../lazy";
import { type Act, ActMenu } from "../../menu/ActMenu";
import { useListContext } from "../useList";
import { useSavedViews, useViewChanges, useViewCounts } from "./useSavedViews";
import { isView, type KeptView, type ListView } from "./view";
import { ViewMenu } from "./ViewMenu";
import styles from "./views.module.css";

interface SavedViewsProps {
  /** Views that everybody has; they come first. */
  builtIn?: readonly ListView[];
  /** Shows the columns of a view, if they can be chosen. */
  showColumns?: (keys: readonly string[]) => void;
}

const FADE_PX = 16;

/** Scrolls the row of views, not the page, until the view that is shown is in sight. */
function useSight(row: RefObject<HTMLElement | null>, shown: unknown, hasMore: boolean) {
  useEffect(() => {
    const view = row.current?.querySelector('[aria-pressed="true"]')?.parentElement;
    if (!row.current || !view) return;
    const [seen, wanted] = [row.current.getBoundingClientRect(), view.getBoundingClientRect()];
    const beyond = Math.max(0, wanted.right + FADE_PX - seen.right);
    row.current.scrollBy({ left: beyond || Math.min(0, wanted.left - FADE_PX - seen.left) });
  }, [row, shown, hasMore]);
}

/** Whether the row has more views than it has room for. */
function useHasMore(row: RefObject<HTMLElement | null>, count: number): boolean {
  const [hasMore, setMore] = useState(false);
  useEffect(() => {
    const { current } = row;
    if (!current) return undefined;
    const watch = new ResizeObserver(() => {
      setMore(current.scrollWidth > current.clientWidth + 1);
    });
    watch.observe(current);
    return () => {
      watch.disconnect();
    };
  }, [row, count]);
  return hasMore;
}

/** Built-in views, the user's own, and those shared in the institution. */
export function SavedViews({ builtIn, showColumns }: SavedViewsProps) {
  const { filters, sort, usualSort, show } = useListContext();
  const views = useSavedViews();
  const counts = useViewCounts(views);
  const row = useRef<HTMLDivElement>(null);
  const current = views.find((view) => isView(view, filters, sort));
  const first = builtIn ?? [{ label: t`All`, filter: {}, sort: usualSort }];
  const shown = current ?? first.find((view) => isView(view, filters, sort));
  const hasMore = useHasMore(row, first.length + views.length);
  useSight(row, shown?.label, hasMore);
  if (!builtIn && views.length === 0) return null;
  const choose = (view: ListView | KeptView) => () => {
    show(view.filter, view.sort);
    if ("columns" in view && view.columns) showColumns?.(view.columns);
  };
  return (
    <div className={styles.frame}>
      <div
        ref={row}
        role="group"
        aria-label={t`Views`}
        className={styles.views}
        data-more={hasMore || undefined}
      >
        {first.map((view) => (
          <span key={view.label}>
            <button
              type="button"
              className={styles.view}
              aria-pressed={view === shown}
              onClick={choose(view)}
            >
              {view.label}
            </button>
          </span>
        ))}
        {views.map((view) => (
          <span key={view.id}>
            <button
              type="button"
              className={styles.view}
              aria-pressed={view === current}
              title={hintOf(view, counts.get(view.id)) || undefined}
              onClick={choose(view)}
            >
              {view.isShared && <SharedIcon aria-hidden />}
              {view.label} <Count of={counts.get(view.id)} />
            </button>
            {view === current && view.mayChange && <ViewMenu key={view.id} view={view} />}
          </span>
        ))}
      </div>
      {hasMore && (
        <MoreViews
          acts={[...first, ...views].map((view) => ({
            label: labelOf(view, counts),
            isChosen: view === shown,
            act: choose(view),
          }))}
        />
      )}
    </div>
  );
}

/** How many match a view, as soon as that is known; the button says it in its description. */
const Count = ({ of }: { of: string | undefined }) =>
  of === undefined ? null : (
    <span aria-hidden className={styles.count}>
      {of}
    </span>
  );

function hintOf({ isShared }: KeptView, count: string | undefined): string {
  const shared = isShared && t`Shared in the institution`;
  return [shared, count !== undefined && t`${count} in this list`].filter(Boolean).join(" · ");
}

/** The name of a view, with its count where there is one. */
function labelOf(view: ListView | KeptView, counts: ReadonlyMap<string, string>): string {
  const count = "id" in view ? counts.get(view.id) : undefined;
  return count === undefined ? view.label : `${view.label} (${count})`;
}

/** All views below each other, where their row has no room for them. */
function MoreViews({ acts }: { acts: readonly Act[] }) {
  const [anchor, setAnchor] = useState<HTMLElement | null>(null);
  return (
    <>
      <Button
        size="small"
        aria-label={t`More views`}
        aria-haspopup="menu"
        aria-expanded={anchor !== null}
        endIcon={<ExpandIcon />}
        onClick={(event) => setAnchor(event.currentTarget)}
      >
        {t`More`}
      </Button>
      <ActMenu open={anchor !== null} anchor={anchor} acts={acts} onClose={() => setAnchor(null)} />
    </>
  );
}

const ViewDialog = lazy(() => import("./ViewDialog"));

/** Saves the current filters as a view, if there are any and they are none yet. */
export function SaveView({ columns = null }: { columns?: string[] | null }) {
  const { filters, sort } = useListContext();
  const views = useSavedViews();
  const { save } = useViewChanges();
  const [isAsking, setAsking] = useState(false);
  if (Object.keys(filters).length === 0) return null;
  if (views.some((view) => isView(view, filters, sort))) return null;
  return (
    <>
      <Button size="small" startIcon={<SaveViewIcon />} onClick={() => setAsking(true)}>
        {t`Save view`}
      </Button>
      {isAsking && (
        <Suspense fallback={null}>
          <ViewDialog
            title={t`Save view`}
            name=""
            onSave={(label, isShared) => save({ label, filter: filters, sort, columns, isShared })}
            onClose={() => setAsking(false)}
          />
        </Suspense>
      )}
    </>
  );
}
