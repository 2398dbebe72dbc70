import { api, at } from "../api/client";

const mark = (licenseId: string, attemptId: string, toReview: boolean) =>
  api.POST("/api/licenses/{licenseId}/access-attempts/{attemptId}/acknowledge", {
    ...at({ licenseId, attemptId }),
    body: { toReview },
  });

/** Marks an access attempt as reviewed. */
export const reviewAttempt = (licenseId: string, attemptId: string) =>
  mark(licenseId, attemptId, false);

/** Takes back that access attempts were marked as reviewed. */
export async function reopenAttempts(licenseId: string, attemptIds: string[]): Promise<void> {
  for (const attemptId of attemptIds) await mark(licenseId, attemptId, true);
}

/** Marks every access attempt on a license as reviewed, page after page. Returns their IDs. */
export async function reviewAllAttempts(licenseId: string): Promise<string[]> {
  const reviewed: string[] = [];
  for (let after: string | null = ""; after !== null;) {
    const { data }: Awaited<ReturnType<typeof attemptsAfter>> = await attemptsAfter(
      licenseId,
      after,
    );
    const open = data?.items.filter(({ reviewed }) => !reviewed) ?? [];
    for (const { id } of open) await reviewAttempt(licenseId, id);
    reviewed.push(...open.map(({ id }) => id));
    after = data?.nextAfter ?? null;
  }
  return reviewed;
}

const attemptsAfter = (licenseId: string, after: string) =>
  api.GET("/api/licenses/{licenseId}/access-attempts", {
    params: { path: { licenseId }, query: { after, pageSize: 100 } },
  });
