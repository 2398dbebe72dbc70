import { t } from "@lingui/core/macro";
import IconButton from "@mui/material/IconButton";
import Skeleton from "@mui/material/Skeleton";
import Tooltip from "@mui/material/Tooltip";
import { CheckIcon } from "../ui/icons";
import { Column, Fill } from "../ui/layout/layout";
import { PageLink } from "../ui/PageLink";
import { RelativeTime } from "../ui/RelativeTime";
import { useInstitution } from "../ui/useInstitution";
import { VisuallyHidden } from "../ui/VisuallyHidden";
import { KINDS, linkOf } from "./kinds";
import styles from "./notifications.module.css";
import type { Notification } from "./NotificationStream";
import { sentencesOf } from "./sentences";

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

interface NotificationItemProps {
  item: Notification;
  /** Name of the institution if the user belongs to several. */
  institution: string | undefined;
  onRead: (id: string) => void;
  /** Called when the link is followed. */
  onLeave?: () => void;
}

const TONES = { error: "var(--bad)", warning: "var(--wait)", info: "var(--news)" };

function Title({ item, onRead, onLeave }: NotificationItemProps) {
  const isUnread = item.readAt === null;
  const place = linkOf(item);
  const said = sentencesOf(item);
  const title = (
    <>
      {isUnread && <VisuallyHidden>{t`Unread:`} </VisuallyHidden>}
      <span lang={said.lang}>{said.title}</span>
    </>
  );
  return (
    <p className={styles.title} data-unread={isUnread || undefined}>
      {place === null ? (
        title
      ) : (
        <PageLink
          to={place}
          color="inherit"
          underline="none"
          onClick={() => {
            if (isUnread) onRead(item.id);
            onLeave?.();
          }}
          className={styles.cover}
        >
          {title}
        </PageLink>
      )}
    </p>
  );
}

function ReadButton({ item, onRead }: NotificationItemProps) {
  return (
    <Tooltip title={t`Mark as read`}>
      <IconButton
        size="small"
        aria-label={t`Mark as read: ${{ title: sentencesOf(item).title }}`}
        onClick={() => onRead(item.id)}
        className={styles.read}
      >
        <CheckIcon />
      </IconButton>
    </Tooltip>
  );
}

/** A notification in a list, linked to its subject. */
function NotificationItem(props: NotificationItemProps) {
  const { item, institution } = props;
  const { icon: Icon, tone, label } = KINDS[item.kind];
  const isUnread = item.readAt === null;
  const { body, cited, lang } = sentencesOf(item);
  return (
    <li className={styles.item}>
      <Icon color={isUnread ? TONES[tone] : "var(--muted)"} aria-hidden className={styles.icon} />
      <Fill>
        <Title {...props} />
        <p lang={lang} className={styles.body}>
          {body}
        </p>
        {cited && (
          <p lang="en" className={styles.body}>
            {cited}
          </p>
        )}
        <p className={styles.facts}>
          {label} · <RelativeTime at={item.createdAt} />
          {institution && ` · ${institution}`}
        </p>
      </Fill>
      {isUnread && <ReadButton {...props} />}
    </li>
  );
}
