import { t } from "@lingui/core/macro";
import { SharedIcon } from "../../ui/icons";
import styles from "./licenseList.module.css";
import { BUILT_IN_VIEWS, isView, type LicenseView, useLicenseList } from "./useLicenseList";
import { useColumns } from "./columns";
import { useSavedViews } from "./useSavedViews";
import { ViewMenu } from "./ViewMenu";

/** Built-in views, the user's own, and those shared in the institution. */
export function ListViews() {
  const { filters, sort, show } = useLicenseList();
  const { showOnly } = useColumns();
  const views = useSavedViews();
  const current = views.find((view) => isView(view, filters, sort));
  const isShown = (view: LicenseView) => isView(view, filters, sort);
  return (
    <div role="group" aria-label={t`Views`} className={styles.views}>
      {BUILT_IN_VIEWS.map((view) => (
        <span key={view.label}>
          <button
            type="button"
            className={styles.view}
            aria-pressed={!current && isShown(view)}
            onClick={() => show(view.filter, view.sort)}
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
            {...(view.isShared && { title: t`Shared in the institution` })}
            onClick={() => {
              show(view.filter, view.sort);
              if (view.columns) showOnly(view.columns);
            }}
          >
            {view.isShared && <SharedIcon aria-hidden />}
            {view.label}
          </button>
          {view === current && view.mayChange && <ViewMenu key={view.id} view={view} />}
        </span>
      ))}
    </div>
  );
}
