import { t } from "@lingui/core/macro";
import { useState } from "react";
import { changed } from "../api/changed";
import { api } from "../api/client";
import { FormField } from "../ui/Form";
import { FormDialog } from "../ui/FormDialog";
import { MarkdownField } from "../ui/MarkdownField";
import { useNotifyChanged } from "../ui/useNotifyChanged";
import { bodyOf, draftOf, type Customer, type CustomerDraft } from "./customer";

interface CustomerDialogProps {
  institutionId: string;
  /** The customer to edit; omit it to create one. */
  customer?: Customer;
  onClose: () => void;
  onSaved?: (customer: Customer) => void;
}

/** Creates or edits a customer. */
export function CustomerDialog(props: CustomerDialogProps) {
  const { institutionId, customer, onClose, onSaved } = props;
  const notifyChanged = useNotifyChanged();
  const [draft, setDraft] = useState(() => draftOf(customer));
  const field = (name: keyof CustomerDraft) => ({
    name,
    value: draft[name],
    onValue: (value: string) => {
      setDraft((now) => ({ ...now, [name]: value }));
    },
  });
  const save = async () => {
    const body = bodyOf(draft);
    const { data } = customer
      ? await api.PUT("/api/customers/{customerId}", {
          params: { path: { customerId: customer.id } },
          body: changed(body, customer),
        })
      : await api.POST("/api/customers", { body: { institutionId, ...body } });
    const { name } = body;
    notifyChanged(customer ? t`Customer ${name} updated.` : t`Customer ${name} added.`);
    if (data) onSaved?.(data);
  };
  return (
    <FormDialog
      title={customer ? t`Edit ${{ name: customer.name }}` : t`Add customer`}
      action={customer ? t`Save` : t`Add customer`}
      onSubmit={save}
      onClose={onClose}
    >
      <FormField
        {...field("name")}
        label={t`Name`}
        required
        autoFocus
        slotProps={{ htmlInput: { maxLength: 200, dir: "auto" } }}
      />
      <FormField
        {...field("email")}
        label={t`Email address`}
        type="email"
        required
        slotProps={{ htmlInput: { maxLength: 254 } }}
        helperText={
          customer
            ? t`Licenses stay issued to the address that they are issued to.`
            : t`Licenses issued to this address belong to the customer.`
        }
      />
      <FormField
        {...field("company")}
        label={t`Company`}
        slotProps={{ htmlInput: { maxLength: 200, dir: "auto" } }}
      />
      <FormField
        {...field("externalReference")}
        label={t`Reference`}
        slotProps={{ htmlInput: { maxLength: 200, spellCheck: false } }}
        helperText={t`The customer’s ID in your shop or billing system.`}
      />
      <FormField
        {...field("locale")}
        label={t`Language`}
        slotProps={{ htmlInput: { maxLength: 35, spellCheck: false } }}
        helperText={t`Language tag for emails, such as de or pt-BR.`}
      />
      <MarkdownField
        {...field("notes")}
        label={t`Notes`}
        helperText={t`For your team only; customers cannot see them.`}
      />
    </FormDialog>
  );
}
