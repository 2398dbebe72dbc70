import Skeleton from "@mui/material/Skeleton";
import { Column } from "../ui/layout/layout";
import { useInstitution } from "../ui/useInstitution";
import { NotificationItem } from "./NotificationItem";
import styles from "./notifications.module.css";
import type { Notification } from "./NotificationStream";

interface NotificationItemsProps {
  /** Undefined while loading. */
  items: Notification[] | undefined;
  onRead: (id: string) => void;
  onLeave?: () => void;
}

const Loading = () => (
  <>
    {[0, 1, 2].map((place) => (
      <li key={place} className={styles.loading}>
        <Skeleton width="60%" />
        <Skeleton width="90%" />
        <Skeleton width="30%" />
      </li>
    ))}
  </>
);

/** A list of notifications. */
export function NotificationItems({ items, ...acts }: NotificationItemsProps) {
  const { memberships } = useInstitution();
  const nameOf = (id: string) =>
    memberships.length > 1
      ? memberships.find((item) => item.institutionId === id)?.institutionName
      : undefined;
  return (
    <Column as="ul" aria-busy={!items}>
      {items?.map((item) => (
        <NotificationItem
          key={item.id}
          item={item}
          institution={nameOf(item.institutionId)}
          {...acts}
        />
      )) ?? <Loading />}
    </Column>
  );
}
