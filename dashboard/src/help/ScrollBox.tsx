import { useEffect, useRef, useState, type ReactNode } from "react";
import styles from "./prose.module.css";

interface ScrollBoxProps {
  label: string;
  children: ReactNode;
}

/**
 * Scrolls wide content horizontally. Focusable by keyboard only if there is something to scroll.
 */
export function ScrollBox({ label, children }: ScrollBoxProps) {
  const box = useRef<HTMLDivElement>(null);
  const [scrolls, setScrolls] = useState(false);
  useEffect(() => {
    const element = box.current;
    if (!element) return;
    const observer = new ResizeObserver(() =>
      setScrolls(element.scrollWidth > element.clientWidth),
    );
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  return (
    <div
      ref={box}
      className={styles.table}
      {...(scrolls && { tabIndex: 0, role: "region", "aria-label": label })}
    >
      {children}
    </div>
  );
}
