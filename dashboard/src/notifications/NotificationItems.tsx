import Box from "@mui/material/Box";
import Skeleton from "@mui/material/Skeleton";
import Stack from "@mui/material/Stack";
import { useInstitution } from "../ui/useInstitution";
import { NotificationItem } from "./NotificationItem";
import type { Notification } from "./stream";

interface NotificationItemsProps {
  /** Undefined while loading. */
  items: Notification[] | undefined;
  onRead: (id: string) => void;
  onLeave?: () => void;
}

const Loading = () => (
  <>
    {[0, 1, 2].map((place) => (
      <Box component="li" key={place} sx={{ px: 2, py: 1.5 }}>
        <Skeleton width="60%" />
        <Skeleton width="90%" />
        <Skeleton width="30%" />
      </Box>
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
    <Stack component="ul" aria-busy={!items} sx={{ m: 0, p: 0, listStyle: "none" }}>
      {items?.map((item) => (
        <NotificationItem
          key={item.id}
          item={item}
          institution={nameOf(item.institutionId)}
          {...acts}
        />
      )) ?? <Loading />}
    </Stack>
  );
}
