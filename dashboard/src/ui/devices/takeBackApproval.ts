import { api, at } from "../../api/client";

/** Lets a device that was approved wait for approval again. */
export const takeBackApproval = (activationId: string) =>
  api.POST("/api/activations/{activationId}/deactivate", {
    ...at({ activationId }),
    body: { force: false, toPending: true },
  });
