import { api } from "../../../api/client";
import type { Schemas } from "../../../api/types";
import type { Attempt } from "./attempt";

type Page = Schemas["AccessAttemptList"];

export const review = (licenseId: string, attemptId: string) =>
  api.POST("/api/licenses/{licenseId}/access-attempts/{attemptId}/acknowledge", {
    params: { path: { licenseId, attemptId } },
  });

/**
 * Marks all attempts of a license as reviewed, not only those on the page. Returns their number.
 */
export async function reviewAll(licenseId: string): Promise<number> {
  const open = await unreviewed(licenseId);
  for (const attempt of open) await review(licenseId, attempt.id);
  return open.length;
}

async function unreviewed(licenseId: string): Promise<Attempt[]> {
  const found: Attempt[] = [];
  let after: string | null = "";
  while (after !== null) {
    const page: Page = await attemptsAfter(licenseId, after);
    found.push(...page.items.filter((attempt) => !attempt.reviewed));
    after = page.nextAfter ?? null;
  }
  return found;
}

async function attemptsAfter(licenseId: string, after: string): Promise<Page> {
  const { data } = await api.GET("/api/licenses/{licenseId}/access-attempts", {
    params: { path: { licenseId }, query: { after, pageSize: 100 } },
  });
  return data ?? { items: [] };
}
