import Button, { type ButtonProps } from "@mui/material/Button";
import { type ReactNode, useState } from "react";
import { AddIcon } from "./icons";
import { ButtonLink, type ButtonLinkProps } from "./PageLink";

const LOOK = { variant: "contained", startIcon: <AddIcon /> } as const;

interface AddButtonProps extends ButtonProps {
  /** What it opens. */
  dialog?: (onClose: () => void) => ReactNode;
}

/** The button of a page or a tab that adds something to it. */
export function AddButton({ dialog, ...props }: AddButtonProps) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button {...LOOK} {...(dialog && { onClick: () => setOpen(true) })} {...props} />
      {isOpen && dialog?.(() => setOpen(false))}
    </>
  );
}

/** The same where a page of its own adds it. */
export const AddLink = (props: ButtonLinkProps) => <ButtonLink {...LOOK} {...props} />;
