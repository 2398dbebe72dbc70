import { t } from "@lingui/core/macro";
import Button from "@mui/material/Button";
import { useState, useSyncExternalStore } from "react";
import { onPortalView, portalView, setPortalView, type PortalView } from "../api/portalView";
import { dateTime } from "../ui/formats";
import { Row } from "../ui/layout/layout";
import styles from "./portal.module.css";

/** As which customer an operator looks at the portal; null for those whose portal it is. */
export const usePortalView = (): PortalView | null =>
  useSyncExternalStore(onPortalView, portalView);

/** The customer whose page to go to, once a look that the page began with has ended. */
export function useEndedView(): string | null {
  const view = usePortalView();
  const [begun] = useState(view);
  return begun && !view ? begun.customerId : null;
}

/** Says that this is not the user's own portal. */
export function ViewBanner() {
  const view = usePortalView();
  if (!view) return null;
  return (
    <div role="status" className={styles.viewing}>
      <Row gap="m" wraps place="apart" className={styles.inside}>
        <span>
          {t`You see the portal as ${{ email: view.email }}: read only, until ${{ moment: dateTime(view.endsAt) }}.`}
        </span>
        <Button color="inherit" variant="outlined" size="small" onClick={() => setPortalView(null)}>
          {t`End view`}
        </Button>
      </Row>
    </div>
  );
}
