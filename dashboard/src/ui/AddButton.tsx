import Button, { type ButtonProps } from "@mui/material/Button";
import { AddIcon } from "./icons";
import { ButtonLink, type ButtonLinkProps } from "./PageLink";

const LOOK = { variant: "contained", startIcon: <AddIcon /> } as const;

/** The button of a page or a tab that adds something to it. */
export const AddButton = (props: ButtonProps) => <Button {...LOOK} {...props} />;

/** The same where a page of its own adds it. */
export const AddLink = (props: ButtonLinkProps) => <ButtonLink {...LOOK} {...props} />;
