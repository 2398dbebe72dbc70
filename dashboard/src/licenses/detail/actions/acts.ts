import { api } from "../../../api/client";

const ofLicense = (licenseId: string) => ({ params: { path: { licenseId } } });

export const suspend = (id: string, reason: string | null) =>
  api.POST("/api/licenses/{licenseId}/suspend", { ...ofLicense(id), body: { reason } });

export const reinstate = (id: string) =>
  api.POST("/api/licenses/{licenseId}/reinstate", ofLicense(id));
