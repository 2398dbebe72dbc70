// The license, in the main process: windows hear of it, and decide nothing.
import { app, net } from "electron";
import { fetchTransport, LicenseClient, LicetError } from "licet";

import { product } from "./product.js";

let client;
let result; // of the last check

export const hasFeature = (name) => result?.hasFeature(name) ?? false;

/** Opens the license; without a key the one in license.bin, of an earlier start. */
export async function openLicense(licenseKey, tell) {
  await client?.close();
  result = undefined;
  try {
    client = new LicenseClient({
      ...product,
      licenseKey: licenseKey || null,
      appVersion: app.getVersion(),
      transport: fetchTransport((url, init) => net.fetch(url, init)),
    });
    ({ result } = await client.open({ onLost: (error) => tell(error.message) }));
    client.watch({ since: result, onChange: (changed) => tell((result = changed).message) });
    tell(result.message);
  } catch (error) {
    if (!(error instanceof LicetError)) throw error;
    tell(error.message);
  }
}

// Gives a seat back before the application ends.
let closed = false;
app.on("will-quit", (event) => {
  if (closed) return;
  event.preventDefault();
  void Promise.resolve(client?.close()).finally(() => {
    closed = true;
    app.quit();
  });
});
