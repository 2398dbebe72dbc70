import Skeleton from "@mui/material/Skeleton";
import styles from "./skeletonRows.module.css";

/** Stand in for the rows of a list, or the parts of a page, until it is known what stands there. */
export const SkeletonRows = ({ count = 8 }: { count?: number }) => (
  <div aria-busy="true" className={styles.rows}>
    {Array.from({ length: count }, (_, place) => (
      <div key={place} className={styles.row}>
        <Skeleton width="28%" />
        <Skeleton width="44%" />
      </div>
    ))}
  </div>
);

/** Stands in for a page whose code is being loaded; at first nothing, so that it does not flash. */
export const PageSkeleton = () => (
  <div className={styles.page}>
    <Skeleton width="9ch" height={32} />
    <SkeletonRows />
  </div>
);
