import { t } from "@lingui/core/macro";
import { changed } from "../api/fields";
import { api } from "../api/client";
import { CustomerRequest } from "../api/checks";
import { FormDialog } from "../ui/form/FormDialog";
import { FormField } from "../ui/form/FormField";
import { useApiForm } from "../ui/form/useApiForm";
import { MarkdownField } from "../ui/MarkdownField";
import { useNotifyChanged } from "../ui/useNotifyChanged";
import { CUSTOMER, type Customer, type CustomerDraft } from "./customer";

interface CustomerDialogProps {
  institutionId: string;
  /** The customer to edit; omit it to create one. */
  customer?: Customer;
  onClose: () => void;
  onSaved?: (customer: Customer) => void;
}

/** Creates or edits a customer. */
export default function CustomerDialog(props: CustomerDialogProps) {
  const { institutionId, customer, onClose, onSaved } = props;
  const notifyChanged = useNotifyChanged();
  const save = async (draft: CustomerDraft) => {
    const body = CUSTOMER.bodyOf(draft);
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
  const form = useApiForm({
    values: CUSTOMER.draftOf(customer),
    checks: CustomerRequest,
    send: save,
  });
  const { field } = form;
  return (
    <FormDialog
      form={form}
      title={customer ? t`Edit ${{ name: customer.name }}` : t`Add customer`}
      action={customer ? t`Save` : t`Add customer`}
      onClose={onClose}
    >
      <FormField {...field("name")} label={t`Name`} autoFocus input={{ dir: "auto" }} />
      <FormField
        {...field("email")}
        label={t`Email address`}
        type="email"
        helperText={
          customer
            ? t`Licenses stay issued to their present address.`
            : t`Licenses issued to this address belong to the customer.`
        }
      />
      <FormField {...field("company")} label={t`Company`} input={{ dir: "auto" }} />
      <FormField
        {...field("externalReference")}
        label={t`Reference`}
        input={{ spellCheck: false }}
        helperText={t`The customer’s ID in your shop or billing system.`}
      />
      <FormField
        {...field("locale")}
        label={t`Language`}
        input={{ spellCheck: false }}
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
