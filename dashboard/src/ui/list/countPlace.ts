import { createContext } from "react";

/** Where the page says beside its title how many its list has; null until it is there. */
export const CountPlace = createContext<HTMLElement | null>(null);
