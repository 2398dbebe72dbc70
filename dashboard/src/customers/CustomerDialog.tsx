import { plural, t } from "@lingui/core/macro";
import { useWatch } from "react-hook-form";
import { changed } from "../api/fields";
import { $api, api, at } from "../api/client";
import { CustomerRequest } from "../api/checks";
import { FormCheckbox } from "../ui/form/FormCheckbox";
import { FormDialog } from "../ui/form/FormDialog";
import { FormField } from "../ui/form/FormField";
import { type ApiForm, useApiForm } from "../ui/form/useApiForm";
import { MarkdownField } from "../ui/MarkdownField";
import { TagsField } from "../ui/tags/TagsField";
import { CUSTOMER, type Customer, type CustomerDraft } from "./customer";

interface Draft extends CustomerDraft {
  moveLicenses: boolean;
}

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
  const form = useApiForm({
    values: { ...CUSTOMER.draftOf(customer), moveLicenses: true },
    checks: CustomerRequest,
    send: async ({ moveLicenses, ...draft }) => {
      const body = CUSTOMER.bodyOf(draft);
      const { data } = customer
        ? await api.PUT("/api/customers/{customerId}", {
            ...at({ customerId: customer.id }),
            body: { ...changed(body, customer), moveLicenses },
          })
        : await api.POST("/api/customers", { body: { institutionId, ...body } });
      if (data) onSaved?.(data);
    },
    done: ({ name }) => (customer ? t`Customer ${name} updated.` : t`Customer ${name} added.`),
  });
  const { field } = form;
  return (
    <FormDialog
      form={form}
      title={customer ? t`Edit ${{ name: customer.name }}` : t`Add customer`}
      action={customer ? t`Save` : t`Add customer`}
      onClose={onClose}
    >
      <FormField {...field("name")} autoFocus input={{ dir: "auto" }} />
      <FormField
        {...field("email")}
        label={t`Email address`}
        type="email"
        helperText={t`Licenses issued to this address belong to the customer.`}
      />
      {customer && <MoveField form={form} customer={customer} />}
      <FormField {...field("company")} input={{ dir: "auto" }} />
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
      <TagsField {...field("tags")} of="customers" institutionId={institutionId} />
      <MarkdownField
        {...field("notes")}
        label={t`Notes`}
        helperText={t`For your team only; customers cannot see them.`}
      />
    </FormDialog>
  );
}

/** Asks whether the licenses that are issued to the present address move to the new one. */
function MoveField({ form: { control, field }, customer }: MoveFieldProps) {
  const email = useWatch({ control, name: "email" });
  const isMoved = email.trim().toLowerCase() !== customer.email.toLowerCase();
  const { data } = $api.useQuery(
    "get",
    "/api/licenses",
    { params: { query: { customerId: customer.id, issuedTo: customer.email, pageSize: 1 } } },
    { enabled: isMoved },
  );
  const count = data?.totalCount ?? 0;
  if (!isMoved || count === 0) return null;
  return (
    <FormCheckbox
      {...field("moveLicenses")}
      label={plural(count, {
        one: "Move # license to the new address",
        other: "Move # licenses to the new address",
      })}
      helperText={t`Both addresses get an email. In the portal, only the new address sees them then.`}
    />
  );
}

interface MoveFieldProps {
  form: ApiForm<Draft>;
  customer: Customer;
}
