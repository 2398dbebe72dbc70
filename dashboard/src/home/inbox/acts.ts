import { useState } from "react";
import { api } from "../../api/client";
import { asProblem } from "../../api/problem";
import { notify } from "../../ui/toasts/toasts";
import { useNotifyChanged } from "../../ui/useNotifyChanged";

/** Lets a device that waits use its license. */
export const approve = (activationId: string) =>
  api.POST("/api/activations/{activationId}/approve", { params: { path: { activationId } } });

/** Takes a device off its license. */
export const remove = (activationId: string) =>
  api.POST("/api/activations/{activationId}/deactivate", {
    params: { path: { activationId } },
    body: { force: false },
  });

/** Marks every access attempt on a license as reviewed, page after page. */
export async function acknowledgeAll(licenseId: string): Promise<void> {
  for (let after: string | null = ""; after !== null;)
    after = await acknowledgeFrom(licenseId, after);
}

/** Marks those of a page as reviewed. Returns where the next one begins; null after the last. */
async function acknowledgeFrom(licenseId: string, after: string): Promise<string | null> {
  const { data } = await api.GET("/api/licenses/{licenseId}/access-attempts", {
    params: { path: { licenseId }, query: { after, pageSize: 100 } },
  });
  const open = data?.items.filter(({ reviewed }) => !reviewed) ?? [];
  for (const { id: attemptId } of open)
    await api.POST("/api/licenses/{licenseId}/access-attempts/{attemptId}/acknowledge", {
      params: { path: { licenseId, attemptId } },
    });
  return data?.nextAfter ?? null;
}

/** Does something at once, tells of it with a toast, and lets it be undone if it can be. */
export function useAct() {
  const [busy, setBusy] = useState(false);
  const notifyChanged = useNotifyChanged();
  const act = async (done: string, work: () => Promise<unknown>, undo?: () => Promise<unknown>) => {
    setBusy(true);
    try {
      await work();
      notifyChanged(done, undo);
    } catch (error) {
      notify(asProblem(error).message, { type: "error" });
    }
    setBusy(false);
  };
  return { busy, act };
}
