import { t } from "@lingui/core/macro";
import MenuItem from "@mui/material/MenuItem";
import { useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "react-router";
import { api } from "../api/client";
import type { Schemas } from "../api/types";
import { ConfirmDialog, ConfirmFormDialog } from "../ui/ConfirmDialog";
import { FormField } from "../ui/form/FormField";
import { useApiForm } from "../ui/form/useApiForm";
import { listKey } from "../ui/list/useList";
import { notify } from "../ui/toasts/toasts";
import { useNotifyChanged } from "../ui/useNotifyChanged";
import type { Customer } from "./customer";
import { ErasurePreview } from "./ErasurePreview";

export interface CustomerDialogProps {
  customer: Customer;
  onClose: () => void;
}

const pathOf = ({ id }: Customer) => ({ params: { path: { customerId: id } } });

/** Mails the customer the way into the portal. */
export function PortalLinkDialog({ customer, onClose }: CustomerDialogProps) {
  const { email } = customer;
  return (
    <ConfirmDialog
      title={t`Send portal link`}
      action={t`Send`}
      consequence={t`${email} gets an email with a link to the portal, where they see their licenses and devices.`}
      onConfirm={async () => {
        await api.POST("/api/customers/{customerId}/portal-link", pathOf(customer));
        notify(t`Portal link sent to ${email}.`, { type: "success" });
      }}
      onClose={onClose}
    />
  );
}

interface Erasure {
  licenses: Schemas["LicensesAfter"];
}

/** Erases the person behind a customer. */
export function EraseDialog({ customer, onClose }: CustomerDialogProps) {
  const notifyChanged = useNotifyChanged();
  const form = useApiForm<Erasure>({
    values: { licenses: "Keep" },
    send: async ({ licenses }) => {
      await api.POST("/api/customers/{customerId}/erase", {
        ...pathOf(customer),
        body: { licenses, dryRun: false },
      });
      notifyChanged(t`Personal data erased.`);
    },
  });
  return (
    <ConfirmFormDialog
      form={form}
      title={t`Erase ${{ name: customer.name }}`}
      action={t`Erase personal data`}
      danger
      typed={customer.email}
      consequence={t`Name, address, notes, device names and IP addresses are replaced wherever they are stored, also in the audit log. Amounts, keys and devices stay. This cannot be undone.`}
      onClose={onClose}
    >
      <ErasurePreview customer={customer} />
      <FormField {...form.field("licenses")} select label={t`Their licenses`}>
        <MenuItem value="Keep">{t`Stay valid, without a name`}</MenuItem>
        <MenuItem value="Revoke">{t`Are revoked`}</MenuItem>
      </FormField>
    </ConfirmFormDialog>
  );
}

/** Deletes a customer without licenses. */
export function DeleteDialog({ customer, onClose }: CustomerDialogProps) {
  const { name } = customer;
  const navigate = useNavigate();
  const queries = useQueryClient();
  return (
    <ConfirmDialog
      title={t`Delete ${name}`}
      action={t`Delete customer`}
      danger
      consequence={t`This permanently deletes the customer. A customer with licenses cannot be deleted. Past events still name them; if they ask for erasure, erase their personal data first.`}
      onConfirm={async () => {
        await api.DELETE("/api/customers/{customerId}", pathOf(customer));
        await navigate("/customers");
        notify(t`Customer ${name} deleted.`, { type: "success" });
        // Not everything: the page of the customer might still ask for them.
        await queries.invalidateQueries({ queryKey: listKey("customers") });
      }}
      onClose={onClose}
    />
  );
}
