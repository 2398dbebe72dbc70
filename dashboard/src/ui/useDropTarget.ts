import { type DragEvent, useState } from "react";

/** Properties of an element on which something can be dropped; `data-over` while it is held above. */
export function useDropTarget(take: (dropped: DataTransfer) => void) {
  const [isOver, setOver] = useState(false);
  return {
    "data-over": isOver || undefined,
    onDragOver: (event: DragEvent) => {
      event.preventDefault();
      setOver(true);
    },
    onDragLeave: () => setOver(false),
    onDrop: (event: DragEvent) => {
      event.preventDefault();
      setOver(false);
      take(event.dataTransfer);
    },
  };
}
