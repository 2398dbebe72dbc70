import { t } from "@lingui/core/macro";
import Autocomplete from "@mui/material/Autocomplete";
import TextField from "@mui/material/TextField";
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useNavigate } from "react-router";
import { $api, api } from "../api/client";
import { ConfirmFormDialog } from "../ui/ConfirmDialog";
import { useApiForm } from "../ui/form/useApiForm";
import { useField } from "../ui/form/useField";
import { listKey } from "../ui/list/useList";
import { ProblemAlert } from "../ui/ProblemAlert";
import { notify } from "../ui/toasts/toasts";
import type { Customer } from "./customer";
import type { CustomerDialogProps } from "./CustomerDialogs";

const nameOf = ({ name, email }: Customer) => (name === email ? email : `${name} (${email})`);

interface Merger {
  into: Customer | null;
}

const NONE: Merger = { into: null };

/** Moves the licenses of a double to another customer, and deletes the double. */
export function MergeDialog({ customer, onClose }: CustomerDialogProps) {
  const { name } = customer;
  const [typed, setTyped] = useState("");
  const navigate = useNavigate();
  const queries = useQueryClient();
  const form = useApiForm<Merger>({
    values: NONE,
    send: async ({ into: other }) => {
      if (!other) return;
      await api.POST("/api/customers/{customerId}/merge", {
        params: { path: { customerId: customer.id } },
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
  const { value: into, set } = useField(form.field("into"));
  const { data, error, isFetching } = $api.useQuery("get", "/api/customers", {
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
  return (
    <ConfirmFormDialog
      form={form}
      title={t`Merge ${name} into another customer`}
      action={t`Merge`}
      danger
      disabled={into === null}
      consequence={t`The licenses of ${{ customer: nameOf(customer) }} go to the customer you choose, who also gets what they lack: company, reference, notes and metadata. ${name} is deleted. This cannot be undone.`}
      onClose={onClose}
    >
      {error && <ProblemAlert error={error} />}
      <Autocomplete
        options={others}
        loading={isFetching}
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
          />
        )}
      />
    </ConfirmFormDialog>
  );
}
