import { api, at } from "../api/client";

/** Marks an access attempt as reviewed. */
export const reviewAttempt = (licenseId: string, attemptId: string) =>
  api.POST(
    "/api/licenses/{licenseId}/access-attempts/{attemptId}/acknowledge",
    at({ licenseId, attemptId }),
  );

/** Marks every access attempt on a license as reviewed, page after page. Returns their number. */
export async function reviewAllAttempts(licenseId: string): Promise<number> {
  let count = 0;
  for (let after: string | null = ""; after !== null;) {
    const { data }: Awaited<ReturnType<typeof attemptsAfter>> = await attemptsAfter(
      licenseId,
      after,
    );
    const open = data?.items.filter(({ reviewed }) => !reviewed) ?? [];
    for (const { id } of open) await reviewAttempt(licenseId, id);
    count += open.length;
    after = data?.nextAfter ?? null;
  }
  return count;
}

const attemptsAfter = (licenseId: string, after: string) =>
  api.GET("/api/licenses/{licenseId}/access-attempts", {
    params: { path: { licenseId }, query: { after, pageSize: 100 } },
  });
