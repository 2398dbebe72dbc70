import Button, { type ButtonProps } from "@mui/material/Button";
import { AddIcon } from "./icons";

/** The button of a page or a tab that adds something to it. */
export const AddButton = (props: ButtonProps) => (
  <Button variant="contained" startIcon={<AddIcon />} {...props} />
);
