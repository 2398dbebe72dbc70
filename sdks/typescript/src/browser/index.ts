/**
 * License checks for web pages and for Electron's renderer.
 *
 * Files are kept in IndexedDB, and a device key there takes the place of the hardware ID.
 */

export * from "../core/public.js";
export { LicenseClient } from "./client.js";
