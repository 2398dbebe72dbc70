import type { Schemas } from "../../api/types";

/** What is known of a request before it is answered. */
export type RequestPreview = Schemas["OfflinePreview"];
export type RequestKind = RequestPreview["kind"];
export type RequestState = RequestPreview["state"];
export type RequestAnswer = Schemas["OfflineResponse"];

/** The newest request of a device, as operators see it. */
export type ListedRequest = Schemas["OfflineRequest"];
