import { t } from "@lingui/core/macro";
import Autocomplete from "@mui/material/Autocomplete";
import TextField from "@mui/material/TextField";
import { keepPreviousData } from "@tanstack/react-query";
import { useState, type ReactNode } from "react";
import { $api } from "../api/client";
import type { Product } from "../api/types";
import { folded } from "./folded";
import { useEarlyEnter } from "./useEarlyEnter";
import { useInstitution } from "./useInstitution";
import { useProduct } from "./useProduct";

interface ProductPickerProps {
  value: string | null;
  onChange: (productId: string | null) => void;
  label?: string;
  /** Shown in place of a label while nothing is chosen: "All products". */
  all?: string;
  required?: boolean;
  error?: string | undefined;
  helperText?: ReactNode;
  autoFocus?: boolean;
  /** Whether the products are listed as soon as it has the focus. */
  openOnFocus?: boolean;
}

type Choice = Pick<Product, "id" | "name">;

const isLike =
  (text: string) =>
  ({ name }: Choice): boolean =>
    folded(name).includes(folded(text));

/** Selects a product of the institution, with server-side search. */
export function ProductPicker(props: ProductPickerProps) {
  const { value, onChange, label = t`Product`, required = false, error, helperText } = props;
  const { all, autoFocus = false, openOnFocus = false } = props;
  const { institutionId } = useInstitution();
  const [search, setSearch] = useState("");
  const chosen = useProduct(value);
  const { data, isFetching, isPending, isPlaceholderData } = $api.useQuery(
    "get",
    "/api/products",
    {
      params: {
        query: { institutionId: institutionId ?? null, search, sort: "name", pageSize: 25 },
      },
    },
    { enabled: institutionId !== undefined, placeholderData: keepPreviousData },
  );
  const current: Choice | null = value
    ? {
        id: value,
        name: chosen.data?.name ?? (chosen.isError ? t`Deleted product` : t`Loading…`),
      }
    : null;
  const found: Choice[] = data?.items ?? [];
  const isListed = search !== "" || current === null || found.some(({ id }) => id === current.id);
  const listed = isListed ? found : [current, ...found];
  // What was found for an earlier text is no answer to Enter.
  const options = isPlaceholderData ? listed.filter(isLike(search)) : listed;
  const onKeyDown = useEarlyEnter((isPending || isPlaceholderData) && options.length === 0);
  return (
    <Autocomplete<Choice>
      size="small"
      options={options}
      value={current}
      loading={isFetching}
      autoHighlight
      openOnFocus={openOnFocus}
      filterOptions={(found) => found}
      onKeyDown={onKeyDown}
      getOptionLabel={(option) => option.name}
      getOptionKey={(option) => option.id}
      isOptionEqualToValue={(option, other) => option.id === other.id}
      noOptionsText={t`No products found`}
      onInputChange={(_, text, reason) => setSearch(reason === "input" ? text.trim() : "")}
      onChange={(_, option) => onChange(option?.id ?? null)}
      renderInput={(params) => (
        <TextField
          {...params}
          {...(all === undefined
            ? { label }
            : {
                placeholder: all,
                slotProps: {
                  ...params.slotProps,
                  htmlInput: { ...params.slotProps.htmlInput, "aria-label": label },
                },
              })}
          required={required}
          autoFocus={autoFocus}
          error={error !== undefined}
          helperText={error ?? helperText}
        />
      )}
    />
  );
}
