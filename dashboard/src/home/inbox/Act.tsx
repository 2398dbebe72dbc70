import { t } from "@lingui/core/macro";
import Button from "@mui/material/Button";
import { Suspense, useState } from "react";
import { Link } from "react-router";
import { lazy } from "../../ui/lazy";
import { acknowledgeAll, approve, remove } from "./acts";
import { useAct } from "./useAct";
import { KINDS, type Item } from "./waiting";

const ExtendDialog = lazy(() => import("./ExtendDialog"));
const GrantDialog = lazy(() => import("./GrantDialog"));

interface Words {
  label: string;
  /** The label with what it is done to: "Approve Laptop". */
  named: (title: string) => string;
}

const OPEN: Words = {
  label: t({ message: "Open", context: "verb" }),
  named: (title) => t`Open ${title}`,
};

const WORDS: Record<Item["action"], Words> = {
  Approve: { label: t`Approve`, named: (title) => t`Approve ${title}` },
  Acknowledge: { label: t`Acknowledge`, named: (title) => t`Acknowledge ${title}` },
  Grant: {
    label: t({ message: "Grant", context: "verb" }),
    named: (title) => t`Grant ${title}`,
  },
  Extend: { label: t`Extend`, named: (title) => t`Extend ${title}` },
  Repair: OPEN,
  Read: OPEN,
};

/** The button that deals with what waits. */
export function Act({ item }: { item: Item }) {
  const [isAsking, setAsking] = useState(false);
  const { busy, act } = useAct();
  const close = () => setAsking(false);
  const { title } = item;
  const words = WORDS[item.action];
  const button = (onClick: () => void) => (
    <Button
      size="small"
      variant="outlined"
      loading={busy}
      aria-label={words.named(title)}
      onClick={onClick}
    >
      {words.label}
    </Button>
  );
  const ask = () => setAsking(true);
  const id = item.id ?? "";
  switch (item.action) {
    case "Approve":
      return button(() => {
        // Without the approval the device asks again when the application next starts.
        void act(
          t`${title} approved.`,
          () => approve(id),
          () => remove(id),
        );
      });
    case "Acknowledge":
      return button(
        () => void act(t`Access attempts on ${title} reviewed.`, () => acknowledgeAll(id)),
      );
    case "Extend":
      return (
        <>
          {button(ask)}
          <Suspense fallback={null}>
            {isAsking && <ExtendDialog item={item} onClose={close} />}
          </Suspense>
        </>
      );
    case "Grant":
      return (
        <>
          {button(ask)}
          <Suspense fallback={null}>
            {isAsking && <GrantDialog item={item} onClose={close} />}
          </Suspense>
        </>
      );
    case "Repair":
    case "Read":
      return (
        <Button
          component={Link}
          to={KINDS[item.kind].pathOf(item)}
          size="small"
          variant="outlined"
          aria-label={words.named(title)}
        >
          {words.label}
        </Button>
      );
  }
}
