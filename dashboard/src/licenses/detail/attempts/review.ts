import { api } from "../../../api/client";
import type { Attempt } from "./attempt";

export const review = (licenseId: string, attemptId: string) =>
  api.POST("/api/licenses/{licenseId}/access-attempts/{attemptId}/acknowledge", {
    params: { path: { licenseId, attemptId } },
  });

/** Marks every attempt of a license, beyond those on the page. Answers how many there were. */
export async function reviewAll(licenseId: string): Promise<number> {
  const open = await unreviewed(licenseId);
  for (const attempt of open) await review(licenseId, attempt.id);
  return open.length;
}

async function unreviewed(licenseId: string): Promise<Attempt[]> {
  const found: Attempt[] = [];
  for (let after: string | null = ""; after !== null;) {
    const { data } = await api.GET("/api/licenses/{licenseId}/access-attempts", {
      params: { path: { licenseId }, query: { after, pageSize: 100 } },
    });
    found.push(...(data?.items ?? []).filter((attempt: Attempt) => !attempt.reviewed));
    after = data?.nextAfter ?? null;
  }
  return found;
}
