import { createContext } from "react";

/** Whose pages these are, at the end of their titles: a vendor's in the portal. */
export const SiteName = createContext("Licet");
