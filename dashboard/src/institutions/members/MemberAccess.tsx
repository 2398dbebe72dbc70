import { plural, t } from "@lingui/core/macro";
import Typography from "@mui/material/Typography";
import { useProductNames, useReleaseNames } from "../parts/names";
import type { Member } from "./member";
import styles from "./members.module.css";

const SHOWN = 2;

function Assigned({ member }: { member: Member }) {
  const { productIds, releaseIds } = member;
  const first = productIds.slice(0, SHOWN);
  const firstReleases = releaseIds.slice(0, SHOWN - first.length);
  const products = useProductNames(first);
  const releases = useReleaseNames(firstReleases);
  const names = [
    ...first.map((id) => products[id] ?? "…"),
    ...firstReleases.map((id) => releases[id] ?? "…"),
  ];
  const shown = names.join(", ");
  const more = productIds.length + releaseIds.length - names.length;
  return (
    <Typography variant="body2" className={styles.access}>
      {more > 0 ? plural(more, { other: `${shown} and # more` }) : shown}
    </Typography>
  );
}

/** Summary of what a member has access to. */
export function MemberAccess({ member }: { member: Member }) {
  if (member.role !== "Member")
    return (
      <Typography variant="body2" color="textSecondary">
        {t`Everything`}
      </Typography>
    );
  if (member.productIds.length + member.releaseIds.length === 0)
    return (
      <Typography variant="body2" color="textSecondary">
        {t`Nothing assigned`}
      </Typography>
    );
  return <Assigned member={member} />;
}
