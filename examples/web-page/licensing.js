// The license of a page. What must not be used without one belongs on your server.
import { LicenseClient, LicetError } from "licet";

import { product } from "./product.js";

let client;

/** Watches the license; without a key the one in license.bin, of an earlier visit. */
export async function openLicense(licenseKey, tell) {
  await client?.close();
  try {
    client = new LicenseClient({ ...product, licenseKey: licenseKey || null });
    client.watch({ onChange: (result) => tell(result.message, result.hasFeature("shades")) });
  } catch (error) {
    if (!(error instanceof LicetError)) throw error;
    tell(error.message, false);
  }
}
