import { t } from "@lingui/core/macro";
import Autocomplete from "@mui/material/Autocomplete";
import Button from "@mui/material/Button";
import TextField from "@mui/material/TextField";
import Typography from "@mui/material/Typography";
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useNavigate } from "react-router";
import { $api, api, download, at } from "../api/client";
import { setPortalView } from "../api/portalView";
import { asProblem } from "../api/problem";
import type { Schemas } from "../api/types";
import { ConfirmDialog, ConfirmFormDialog } from "../ui/ConfirmDialog";
import { DescriptionList } from "../ui/DescriptionList";
import { FormField } from "../ui/form/FormField";
import { useApiForm } from "../ui/form/useApiForm";
import { useField } from "../ui/form/useField";
import { number } from "../ui/formats";
import { listKey } from "../ui/list/useList";
import { Loading } from "../ui/Loading";
import { MoreMenu } from "../ui/menu/MoreMenu";
import { ProblemAlert } from "../ui/ProblemAlert";
import { notify } from "../ui/toasts/toasts";
import { useActions } from "../ui/useActions";
import { useEarlyEnter } from "../ui/useEarlyEnter";
import { useCan } from "../ui/useInstitution";
import { useUrlParams } from "../ui/useUrlParams";
import type { Customer } from "./customer";
import CustomerDialog from "./CustomerDialog";

/** `?act=` of these opens their dialogs. */
const PORTAL_LINK = "portal-link";
const PORTAL_VIEW = "portal-view";
const EDIT = "edit";
const MERGE = "merge";

/** What can be done with a customer: a button to edit, and a menu. */
export function CustomerActions({ customer }: { customer: Customer }) {
  const { own } = useCan(customer.institutionId);
  const { params, change } = useUrlParams();
  const navigate = useNavigate();
  const queries = useQueryClient();
  const { name } = customer;
  const close = () => change({ act: null }, true);
  const save = async () => {
    try {
      await download(`/api/customers/${customer.id}/export`, "application/json");
      notify(t`Customer data exported.`);
    } catch (error) {
      notify(asProblem(error).message, { type: "error" });
    }
  };
  const actions = useActions(() => [
    { label: t`View portal as customer`, act: () => change({ act: PORTAL_VIEW }) },
    {
      label: t`Send portal link`,
      act: () => change({ act: PORTAL_LINK }),
    },
    { label: t`Merge into another`, act: () => change({ act: MERGE }) },
    { label: t`Export data`, act: () => void save() },
    {
      label: t`Erase personal data`,
      isOffered: own,
      isGrave: true,
      dialog: (onClose) => <EraseDialog customer={customer} onClose={onClose} />,
    },
    {
      label: t`Delete`,
      isGrave: true,
      confirm: {
        title: t`Delete ${name}`,
        action: t`Delete customer`,
        danger: true,
        consequence: t`This permanently deletes the customer. A customer with licenses cannot be deleted. Past events still name them; if they ask for erasure, erase their personal data first.`,
        onConfirm: async () => {
          await api.DELETE("/api/customers/{customerId}", pathOf(customer));
          await navigate("/customers");
          notify(t`Customer ${name} deleted.`, { type: "success" });
          // Not everything: the page of the customer might still ask for them.
          await queries.invalidateQueries({ queryKey: listKey("customers") });
        },
      },
    },
  ]);
  return (
    <>
      <Button variant="outlined" onClick={() => change({ act: EDIT })}>
        {t`Edit`}
      </Button>
      <MoreMenu acts={actions.of()} />
      {params.get("act") === EDIT && (
        <CustomerDialog
          institutionId={customer.institutionId}
          customer={customer}
          onClose={close}
        />
      )}
      {actions.dialog}
      {params.get("act") === PORTAL_LINK && (
        <PortalLinkDialog customer={customer} onClose={close} />
      )}
      {params.get("act") === PORTAL_VIEW && (
        <PortalViewDialog customer={customer} onClose={close} />
      )}
      {params.get("act") === MERGE && <MergeDialog customer={customer} onClose={close} />}
    </>
  );
}

interface CustomerDialogProps {
  customer: Customer;
  onClose: () => void;
}

const pathOf = ({ id }: Customer) => at({ customerId: id });

/** Opens the portal as the customer sees it. */
function PortalViewDialog({ customer, onClose }: CustomerDialogProps) {
  const navigate = useNavigate();
  const { email, name } = customer;
  const look = async () => {
    const { data } = await api.POST("/api/customers/{customerId}/portal-view", pathOf(customer));
    if (!data) return;
    const { token, expiresIn } = data;
    const endsAt = new Date(Date.now() + expiresIn * 1000);
    setPortalView({ token, endsAt, customerId: customer.id, email, name });
    await navigate("/portal");
  };
  return (
    <ConfirmDialog
      title={t`View portal as customer`}
      consequence={t`You see what ${email} sees, for 15 minutes and read only. The audit log records it.`}
      action={t`View portal`}
      onConfirm={look}
      onClose={onClose}
    />
  );
}

/** Emails the customer a link to the portal. */
function PortalLinkDialog({ customer, onClose }: CustomerDialogProps) {
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
function EraseDialog({ customer, onClose }: CustomerDialogProps) {
  const form = useApiForm<Erasure>({
    values: { licenses: "Keep" },
    send: ({ licenses }) =>
      api.POST("/api/customers/{customerId}/erase", {
        ...pathOf(customer),
        body: { licenses, dryRun: false },
      }),
    done: t`Personal data erased.`,
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
      <FormField
        {...form.field("licenses")}
        label={t`Their licenses`}
        options={[
          ["Keep", t`Stay valid, without a name`],
          ["Revoke", t`Are revoked`],
        ]}
      />
    </ConfirmFormDialog>
  );
}

const nameOf = ({ name, email }: Customer) => (name === email ? email : `${name} (${email})`);

interface Merger {
  into: Customer | null;
}

const NONE: Merger = { into: null };

/** Merges a duplicate: moves its licenses to another customer, and deletes it. */
function MergeDialog({ customer, onClose }: CustomerDialogProps) {
  const { name } = customer;
  const [typed, setTyped] = useState("");
  const navigate = useNavigate();
  const queries = useQueryClient();
  const form = useApiForm<Merger>({
    values: NONE,
    validate: ({ into: other }) => (other ? {} : { into: t`Choose a customer.` }),
    send: async ({ into: other }) => {
      if (!other) return;
      await api.POST("/api/customers/{customerId}/merge", {
        ...at({ customerId: customer.id }),
        body: { intoId: other.id },
      });
      await navigate(`/customers/${other.id}`);
      notify(t`${name} merged into ${{ other: other.name }}.`, { type: "success" });
      const params = { path: { customerId: other.id } };
      await queries.invalidateQueries({
        queryKey: ["get", "/api/customers/{customerId}", { params }],
      });
      await queries.invalidateQueries({ queryKey: listKey("customers") });
    },
  });
  const { value: into, set, ref, message } = useField(form.field("into"));
  const { data, error, isFetching, isPending } = $api.useQuery("get", "/api/customers", {
    params: {
      query: {
        institutionId: customer.institutionId,
        pageSize: 20,
        sort: "name",
        ...(typed.trim() !== "" && into === null && { search: typed.trim() }),
      },
    },
  });
  const others = (data?.items ?? []).filter(({ id }) => id !== customer.id);
  const onKeyDown = useEarlyEnter(isPending);
  return (
    <ConfirmFormDialog
      form={form}
      title={t`Merge ${name} into another customer`}
      action={t`Merge`}
      danger
      consequence={t`The licenses of ${{ customer: nameOf(customer) }} move to the customer you choose. Their company, reference, notes and metadata fill what that customer lacks. ${name} is deleted. This cannot be undone.`}
      onClose={onClose}
    >
      {error && <ProblemAlert error={error} />}
      <Autocomplete
        autoHighlight
        options={others}
        loading={isFetching}
        onKeyDown={onKeyDown}
        filterOptions={(options) => options}
        getOptionLabel={nameOf}
        getOptionKey={({ id }) => id}
        isOptionEqualToValue={(option, value) => option.id === value.id}
        value={into}
        onChange={(_, chosen) => set(chosen)}
        onInputChange={(_, text) => setTyped(text)}
        noOptionsText={t`No customers found`}
        renderInput={(props) => (
          <TextField
            {...props}
            required
            label={t`Customer`}
            placeholder={t`Search by name, email, company or reference`}
            inputRef={ref}
            error={message !== undefined}
            helperText={message}
          />
        )}
      />
    </ConfirmFormDialog>
  );
}

const PLACES: Record<string, string> = {
  events: t`Events in the audit log`,
  licenses: t`Licenses`,
  activations: t`Devices`,
  sessions: t`Sessions`,
  accessAttempts: t`Access attempts`,
  meterEntries: t`Ledger entries`,
  telemetryEvents: t`Telemetry`,
  licenseMails: t`Emails to them`,
  notifications: t`Notifications`,
  webhookDeliveries: t`Webhook responses`,
  orders: t`Orders`,
  orderLicenses: t`Licenses of orders`,
  connectorEvents: t`Events of shops`,
  connectorBuyers: t`Buyers in shops`,
  orderReports: t`Reports to them`,
  savedViews: t`Saved views`,
  invitations: t`Invitations`,
  associations: t`Invitations to products`,
  formerAddresses: t`Former addresses`,
};

const SHOWN_TEXTS = 10;

const usePreview = (customer: Customer) =>
  $api.useQuery(
    "post",
    "/api/customers/{customerId}/erase",
    { ...at({ customerId: customer.id }), body: { licenses: "Keep", dryRun: true } },
    { gcTime: 0, staleTime: Infinity, refetchOnWindowFocus: false },
  );

/** Says how many records an erasure would change, and which texts of the audit log it replaces. */
function ErasurePreview({ customer }: { customer: Customer }) {
  const { data, error } = usePreview(customer);
  if (error) return <ProblemAlert error={error} />;
  if (!data) return <Loading />;
  const places = Object.entries(data.rows).filter(([, count]) => count > 0);
  const more = data.textCount - SHOWN_TEXTS;
  return (
    <>
      <Typography variant="subtitle2">{t`Records that are erased`}</Typography>
      <DescriptionList
        facts={places.map(([place, count]) => [PLACES[place] ?? place, number(count)])}
      />
      {data.texts.length > 0 && (
        <>
          <Typography variant="subtitle2">{t`Texts that are replaced in the audit log`}</Typography>
          <DescriptionList
            facts={data.texts.slice(0, SHOWN_TEXTS).map(({ text, count }) => [text, number(count)])}
          />
          {more > 0 && <Typography variant="body2">{t`And ${more} more.`}</Typography>}
        </>
      )}
    </>
  );
}
