import { ScrollRestoration } from "react-router";

/**
 * Scrolls a page to where it was when the user returns to it. All pages that are opened by their
 * address have the key "default", so these are told apart by their paths.
 */
export const KeptScroll = () => (
  <ScrollRestoration getKey={({ key, pathname }) => (key === "default" ? pathname : key)} />
);
