import { t } from "@lingui/core/macro";
import Button from "@mui/material/Button";
import Menu from "@mui/material/Menu";
import MenuItem from "@mui/material/MenuItem";
import { useState } from "react";
import { download } from "../api/client";
import { asProblem } from "../api/problem";
import { ExpandIcon } from "../ui/icons";
import { notify } from "../ui/toasts/toasts";
import { useCan } from "../ui/useInstitution";
import type { Customer } from "./customer";
import CustomerDialog from "./CustomerDialog";
import { DeleteDialog, EraseDialog, PortalLinkDialog } from "./CustomerDialogs";
import { MergeDialog } from "./MergeDialog";
import styles from "./customers.module.css";

type Asked = "edit" | "link" | "merge" | "erase" | "delete";

/** Those that only Owners have. */
const OF_OWNERS: readonly string[] = ["erase"];

const ENTRIES: readonly (readonly [asked: Asked | "export", label: string])[] = [
  ["link", t`Send portal link`],
  ["merge", t`Merge into another`],
  ["export", t`Export data`],
  ["erase", t`Erase person`],
  ["delete", t`Delete`],
];

/** What can be done with a customer: a button to edit, and a menu. */
export function CustomerActions({ customer }: { customer: Customer }) {
  const { own } = useCan(customer.institutionId);
  const [asked, setAsked] = useState<Asked | null>(null);
  const [anchor, setAnchor] = useState<HTMLElement | null>(null);
  const close = () => setAsked(null);
  const save = async () => {
    try {
      await download(`/api/customers/${customer.id}/export`, "application/json");
      notify(t`Exported what is stored of the customer.`);
    } catch (error) {
      notify(asProblem(error).message, { type: "error" });
    }
  };
  const dialog = { customer, onClose: close };
  return (
    <>
      <Button variant="outlined" onClick={() => setAsked("edit")}>
        {t`Edit`}
      </Button>
      <Button
        variant="outlined"
        endIcon={<ExpandIcon />}
        aria-haspopup="menu"
        aria-expanded={anchor !== null}
        onClick={(event) => setAnchor(event.currentTarget)}
      >
        {t`More`}
      </Button>
      <Menu open={anchor !== null} anchorEl={anchor} onClose={() => setAnchor(null)}>
        {ENTRIES.filter(([entry]) => own || !OF_OWNERS.includes(entry)).map(([entry, label]) => (
          <MenuItem
            key={entry}
            className={entry === "erase" || entry === "delete" ? styles.grave : undefined}
            onClick={() => {
              setAnchor(null);
              if (entry === "export") void save();
              else setAsked(entry);
            }}
          >
            {label}
          </MenuItem>
        ))}
      </Menu>
      {asked === "edit" && <CustomerDialog institutionId={customer.institutionId} {...dialog} />}
      {asked === "link" && <PortalLinkDialog {...dialog} />}
      {asked === "merge" && <MergeDialog {...dialog} />}
      {asked === "erase" && <EraseDialog {...dialog} />}
      {asked === "delete" && <DeleteDialog {...dialog} />}
    </>
  );
}
