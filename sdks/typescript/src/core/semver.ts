/** Semantic versions: which major versions a license covers. */

const SEMVER =
  /^v?(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)(?:-([0-9A-Za-z.-]+))?(?:\+[0-9A-Za-z.-]+)?$/;

function majorOf(version: string): number | null {
  const major = SEMVER.exec(version.trim())?.[1];
  return major !== undefined && major.length <= 9 ? Number(major) : null;
}

/** Whether a license for one release covers this version of the application. */
export function releaseAllows(release: string | null, application: string | null): boolean {
  if (release === null || application === null) return true;
  const covered = majorOf(release);
  const own = majorOf(application);
  return covered === null || own === null || own <= covered;
}
