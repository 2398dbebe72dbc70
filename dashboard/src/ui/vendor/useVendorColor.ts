import { useLayoutEffect } from "react";
import "./vendorColor.css";
import type { Vendor } from "./useVendor";

/** Puts the vendor's color in the place of the accent while the page is shown. */
export function useVendorColor(vendor: Vendor | undefined): void {
  const { color, colorOnDark } = vendor ?? {};
  useLayoutEffect(() => {
    if (!color || !colorOnDark) return;
    const { dataset, style } = document.documentElement;
    dataset["vendor"] = "";
    style.setProperty("--vendor", color);
    style.setProperty("--vendor-on-dark", colorOnDark);
    return () => {
      delete dataset["vendor"];
      style.removeProperty("--vendor");
      style.removeProperty("--vendor-on-dark");
    };
  }, [color, colorOnDark]);
}
