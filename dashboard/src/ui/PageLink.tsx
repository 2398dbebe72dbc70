import Button, { type ButtonProps } from "@mui/material/Button";
import MuiLink, { type LinkProps } from "@mui/material/Link";
import { Link, type LinkProps as Place } from "react-router";

/** A link to another page of the dashboard. */
export const PageLink = (props: LinkProps & Place) => <MuiLink component={Link} {...props} />;

export type ButtonLinkProps = ButtonProps & Pick<Place, "to" | "state">;

/** A button that leads to another page of the dashboard. */
export const ButtonLink = (props: ButtonLinkProps) => <Button component={Link} {...props} />;
