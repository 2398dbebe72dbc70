import { api } from "../../../api/client";

const ofLicense = (licenseId: string) => ({ params: { path: { licenseId } } });

export const revoke = (id: string, reason: string | null) =>
  api.POST("/api/licenses/{licenseId}/revoke", { ...ofLicense(id), body: { reason } });

export const restore = (id: string) => api.POST("/api/licenses/{licenseId}/restore", ofLicense(id));

export const suspend = (id: string, reason: string | null) =>
  api.POST("/api/licenses/{licenseId}/suspend", { ...ofLicense(id), body: { reason } });

export const reinstate = (id: string) =>
  api.POST("/api/licenses/{licenseId}/reinstate", ofLicense(id));
