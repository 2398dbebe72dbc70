import Button from "@mui/material/Button";
import { useState } from "react";
import { Link } from "react-router";
import { acknowledgeAll, approve, remove } from "./acts";
import { ExtendDialog } from "./ExtendDialog";
import { GrantDialog } from "./GrantDialog";
import { useAct } from "./useAct";
import { KINDS, type Item } from "./waiting";

/** The button that deals with what waits. */
export function Act({ item }: { item: Item }) {
  const [isAsking, setAsking] = useState(false);
  const { busy, act } = useAct();
  const close = () => {
    setAsking(false);
  };
  const button = (label: string, onClick: () => void) => (
    <Button
      size="small"
      variant="outlined"
      loading={busy}
      aria-label={`${label} ${item.title}`}
      onClick={onClick}
    >
      {label}
    </Button>
  );
  const ask = () => {
    setAsking(true);
  };
  const id = item.id ?? "";
  switch (item.action) {
    case "Approve":
      return button("Approve", () => {
        // Without the approval the device asks again when the application next starts.
        void act(
          `${item.title} approved.`,
          () => approve(id),
          () => remove(id),
        );
      });
    case "Acknowledge":
      return button("Acknowledge", () => {
        void act(`Access attempts on ${item.title} reviewed.`, () => acknowledgeAll(id));
      });
    case "Extend":
      return (
        <>
          {button("Extend", ask)}
          {isAsking && <ExtendDialog item={item} onClose={close} />}
        </>
      );
    case "Grant":
      return (
        <>
          {button("Grant", ask)}
          {isAsking && <GrantDialog item={item} onClose={close} />}
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
          aria-label={`Open ${item.title}`}
        >
          Open
        </Button>
      );
  }
}
