import { useEffect, useRef, useState } from "react";
import { useLocation, useNavigate } from "react-router";
import { ConfirmDialog } from "./ConfirmDialog";
import { hearFirst } from "./leaving";

interface LeaveGuardProps {
  title: string;
  /** What is lost. */
  consequence: string;
}

const isPlainClick = (event: MouseEvent) =>
  event.button === 0 && !(event.metaKey || event.ctrlKey || event.shiftKey || event.altKey);

const placeInHistory = (state: unknown): number =>
  (state as { idx?: number } | null)?.idx ?? Number.NaN;

/**
 * While it is shown, leaving the page's address asks first: by a link, by going back, by closing.
 * The router has a blocker only for routes that are declared as data.
 */
export function LeaveGuard({ title, consequence }: LeaveGuardProps) {
  const navigate = useNavigate();
  const location = useLocation();
  const place = useRef(Number.NaN);
  const passing = useRef(false);
  const [leave, setLeave] = useState<(() => void) | null>(null);
  const { pathname } = location;
  useEffect(() => {
    place.current = placeInHistory(window.history.state);
  }, [location]);
  useEffect(() => {
    const onUnload = (event: BeforeUnloadEvent) => {
      event.preventDefault();
    };
    const onClick = (event: MouseEvent) => {
      const link = event.target instanceof Element ? event.target.closest("a") : null;
      if (!link?.href || link.target || link.download || !isPlainClick(event)) return;
      const url = new URL(link.href);
      if (url.origin !== window.location.origin || url.pathname === pathname) return;
      event.preventDefault();
      event.stopPropagation();
      setLeave(() => () => void navigate(url.pathname + url.search + url.hash));
    };
    const onPop = (event: PopStateEvent) => {
      if (passing.current || window.location.pathname === pathname) return;
      const steps = placeInHistory(event.state) - place.current;
      if (!steps) return;
      // Stay: the router does not hear of it, and the address is put back.
      event.stopImmediatePropagation();
      window.history.go(-steps);
      setLeave(() => () => {
        passing.current = true;
        window.history.go(steps);
      });
    };
    window.addEventListener("beforeunload", onUnload);
    document.addEventListener("click", onClick, true);
    hearFirst(onPop);
    return () => {
      window.removeEventListener("beforeunload", onUnload);
      document.removeEventListener("click", onClick, true);
      hearFirst(null);
    };
  }, [navigate, pathname]);
  if (!leave) return null;
  return (
    <ConfirmDialog
      title={title}
      consequence={consequence}
      action="Leave"
      danger
      onConfirm={() => {
        leave();
        return Promise.resolve();
      }}
      onClose={() => {
        setLeave(null);
      }}
    />
  );
}
