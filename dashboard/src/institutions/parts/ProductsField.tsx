import { t } from "@lingui/core/macro";
import Autocomplete from "@mui/material/Autocomplete";
import TextField from "@mui/material/TextField";
import { useState, type Ref } from "react";
import { $api } from "../../api/client";
import { useProductNames } from "./names";

interface ProductsFieldProps {
  institutionId: string;
  inputRef: Ref<HTMLInputElement>;
  value: string[];
  /** What is wrong with it. */
  message: string | undefined;
  onChange: (ids: string[]) => void;
}

/** Selects products of the institution, with server-side search. */
export function ProductsField(props: ProductsFieldProps) {
  const { institutionId, inputRef, value, message, onChange } = props;
  const [search, setSearch] = useState("");
  const query = { institutionId, search, pageSize: 50, sort: "name" };
  const { data, isFetching } = $api.useQuery(
    "get",
    "/api/products",
    { params: { query } },
    { placeholderData: (before) => before },
  );
  const listed = data?.items ?? [];
  const names = {
    ...useProductNames(value),
    ...Object.fromEntries(listed.map((product) => [product.id, product.name])),
  };
  return (
    <Autocomplete
      multiple
      disableCloseOnSelect
      options={[...new Set([...listed.map((product) => product.id), ...value])]}
      value={value}
      loading={isFetching}
      getOptionLabel={(id) => names[id] ?? "…"}
      filterOptions={(ids) => ids.filter((id) => matches(names[id], search))}
      noOptionsText={t`No products found`}
      onChange={(_, ids) => onChange(ids)}
      onInputChange={(_, text, reason) => {
        if (reason !== "reset") setSearch(text);
      }}
      renderInput={(params) => (
        <TextField
          {...params}
          label={t`Products`}
          inputRef={inputRef}
          error={message !== undefined}
          helperText={
            message ?? t`Includes their releases, features, licenses, devices and statistics.`
          }
        />
      )}
    />
  );
}

const matches = (name: string | undefined, search: string) =>
  (name ?? "").toLowerCase().includes(search.trim().toLowerCase());
