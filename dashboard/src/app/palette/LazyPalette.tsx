import { t } from "@lingui/core/macro";
import { type ComponentProps, Suspense, useLayoutEffect, useRef, useState } from "react";
import { lazy } from "../../ui/lazy";
import styles from "./lazyPalette.module.css";

const Palette = lazy(() => import("./Palette"));

export const { preload: preloadPalette } = Palette;

/** The palette, which loses nothing of what is typed before its code is there. */
export function LazyPalette(props: Omit<ComponentProps<typeof Palette>, "typed">) {
  const [typed, setTyped] = useState("");
  return (
    <Suspense fallback={<TypedAhead text={typed} onType={setTyped} />}>
      <Palette typed={typed} {...props} />
    </Suspense>
  );
}

interface TypedAheadProps {
  text: string;
  onType: (text: string) => void;
}

/** Takes what is typed, out of sight, and gives the focus back when it goes. */
function TypedAhead({ text, onType }: TypedAheadProps) {
  const field = useRef<HTMLInputElement>(null);
  useLayoutEffect(() => {
    const before = document.activeElement;
    field.current?.focus();
    return () => {
      if (before instanceof HTMLElement) before.focus({ preventScroll: true });
    };
  }, []);
  return (
    <input
      ref={field}
      className={styles.ahead}
      aria-label={t`Search`}
      value={text}
      onChange={(event) => onType(event.target.value)}
    />
  );
}
