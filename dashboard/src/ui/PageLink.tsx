import Button, { type ButtonProps } from "@mui/material/Button";
import MuiLink, { type LinkProps } from "@mui/material/Link";
import { Link, type LinkProps as Place } from "react-router";

/** A link to another page of the dashboard. */
export const PageLink = (props: LinkProps & Place) => <MuiLink component={Link} {...props} />;

/** A button that leads to another page of the dashboard. */
export const ButtonLink = (props: ButtonProps & Pick<Place, "to" | "state">) => (
  <Button component={Link} {...props} />
);
