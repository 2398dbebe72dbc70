import { t } from "@lingui/core/macro";
import Button from "@mui/material/Button";
import { useState } from "react";
import { Column } from "../../ui/layout/layout";
import { AddIcon } from "../../ui/icons";
import { TabHeading } from "../../ui/TabHeading";
import type { TabProps } from "../parts/TabProps";
import type { Association } from "./association";
import { AssociationList } from "./AssociationList";
import { InviteDialog } from "./InviteDialog";
import { LinkDialog } from "./LinkDialog";
import { RemoveDialog } from "./RemoveDialog";
import { ResendDialog } from "./ResendDialog";

type Asked = { what: "invite" } | { what: "link" | "resend" | "remove"; association: Association };

/** The institutions that the product is licensed to, and those invited. */
export function AssociationsTab({ product, manage }: TabProps) {
  const [asked, setAsked] = useState<Asked | null>(null);
  const close = () => setAsked(null);
  const ask = (what: "link" | "resend" | "remove") => (association: Association) =>
    setAsked({ what, association });
  const invite = manage && (
    <Button
      variant="contained"
      startIcon={<AddIcon />}
      onClick={() => setAsked({ what: "invite" })}
    >
      {t`Invite institution`}
    </Button>
  );
  return (
    <Column gap="s">
      <TabHeading title={t`Associations`} help="associations" action={invite}>
        {t`Licenses of this product are issued to associated institutions only. An institution becomes associated when one of its Owners accepts your invitation; its people then see the licenses that you issue to it, and manage their devices.`}
      </TabHeading>
      <AssociationList
        productId={product.id}
        manage={manage}
        invite={invite}
        onShow={ask("link")}
        onResend={ask("resend")}
        onRemove={ask("remove")}
      />
      {asked?.what === "invite" && (
        <InviteDialog
          productId={product.id}
          onInvited={ask("link")}
          onClose={() => setAsked((now) => (now?.what === "invite" ? null : now))}
        />
      )}
      {asked?.what === "link" && <LinkDialog association={asked.association} onClose={close} />}
      {asked?.what === "resend" && (
        <ResendDialog
          productId={product.id}
          association={asked.association}
          onResent={ask("link")}
          onClose={() => setAsked((now) => (now?.what === "resend" ? null : now))}
        />
      )}
      {asked?.what === "remove" && (
        <RemoveDialog productId={product.id} association={asked.association} onClose={close} />
      )}
    </Column>
  );
}
