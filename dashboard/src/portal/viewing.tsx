import { plural, t } from "@lingui/core/macro";
import Button from "@mui/material/Button";
import { useEffect, useState, useSyncExternalStore } from "react";
import { Link } from "react-router";
import {
  lostPortalView,
  onPortalView,
  portalView,
  setPortalView,
  type LostView,
  type PortalView,
} from "../api/portalView";
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

const MINUTE_MS = 60_000;

/** How many minutes are left until then, the last one begun included. */
function useMinutesUntil(end: Date): number {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), MINUTE_MS / 4);
    return () => clearInterval(timer);
  }, []);
  return Math.max(1, Math.ceil((end.getTime() - now) / MINUTE_MS));
}

const TimeLeft = ({ end }: { end: Date }) =>
  plural(useMinutesUntil(end), { one: "# minute left", other: "# minutes left" });

/** Says that the portal is the user's own again, since a look ends when its page is loaded again. */
const LostBanner = ({ lost: { customerId, email } }: { lost: LostView }) => (
  <div role="status" className={styles.viewing}>
    <Row gap="m" wraps place="apart" className={styles.inside}>
      <span>
        {t`The view as ${email} ended when the page was loaded again. This is your own portal.`}
      </span>
      <Button
        component={Link}
        to={`/customers/${customerId}`}
        color="inherit"
        variant="outlined"
        size="small"
        onClick={() => setPortalView(null)}
      >
        {t`Back to the customer`}
      </Button>
    </Row>
  </div>
);

const calledBy = ({ name, email }: PortalView): string =>
  name === email ? email : `${name} (${email})`;

/** Says that this is not the user's own portal. */
export function ViewBanner() {
  const view = usePortalView();
  const lost = useSyncExternalStore(onPortalView, lostPortalView);
  if (lost) return <LostBanner lost={lost} />;
  if (!view) return null;
  return (
    <div role="status" className={styles.viewing}>
      <Row gap="m" wraps place="apart" className={styles.inside}>
        <span>
          {t`You see the portal as ${{ customer: calledBy(view) }}, read only.`}{" "}
          <TimeLeft end={view.endsAt} />
        </span>
        <Button color="inherit" variant="outlined" size="small" onClick={() => setPortalView(null)}>
          {t`End view`}
        </Button>
      </Row>
    </div>
  );
}
