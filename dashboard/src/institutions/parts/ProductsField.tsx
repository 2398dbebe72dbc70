import { t } from "@lingui/core/macro";
import Autocomplete from "@mui/material/Autocomplete";
import Chip from "@mui/material/Chip";
import FormHelperText from "@mui/material/FormHelperText";
import TextField from "@mui/material/TextField";
import { useQueries } from "@tanstack/react-query";
import { type Ref, useState } from "react";
import { $api, at } from "../../api/client";
import type { Product, Schemas } from "../../api/types";
import { folded } from "../../ui/folded";
import { Column, Row } from "../../ui/layout/layout";
import { Muted } from "../../ui/Muted";
import styles from "./parts.module.css";

type Release = Schemas["Release"];
type Names = Record<string, string>;

/** Product names by ID; products that are loading or deleted are missing. */
export function useProductNames(ids: readonly string[]): Names {
  const asked = [...new Set(ids)].map((productId) =>
    $api.queryOptions("get", "/api/products/{productId}", at({ productId }), { staleTime: 60_000 }),
  );
  return useQueries({ queries: asked, combine: namesOf });
}

const namesOf = (answers: { data: Product | undefined }[]): Names =>
  Object.fromEntries(answers.flatMap(({ data }) => (data ? [[data.id, data.name]] : [])));

/** "Aurora Studio 2.1.0" for each of these releases. */
export function useReleaseNames(ids: readonly string[]): Names {
  const asked = ids.map((releaseId) =>
    $api.queryOptions("get", "/api/releases/{releaseId}", at({ releaseId }), { staleTime: 60_000 }),
  );
  const releases = useQueries({ queries: asked, combine: found });
  const products = useProductNames(releases.map((release) => release.productId));
  return Object.fromEntries(
    releases.map((one) => [one.id, `${products[one.productId] ?? "…"} ${one.version}`]),
  );
}

const found = (answers: { data: Release | undefined }[]): Release[] =>
  answers.flatMap(({ data }) => (data ? [data] : []));

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
  folded(name ?? "").includes(folded(search.trim()));

interface ReleasesFieldProps {
  institutionId: string;
  /** Products assigned as a whole; their releases need no assignment. */
  productIds: string[];
  inputRef: Ref<HTMLInputElement>;
  value: string[];
  /** What is wrong with it. */
  message: string | undefined;
  onChange: (ids: string[]) => void;
}

function VersionField({
  product,
  taken,
  onPick,
}: {
  product: Product;
  taken: string[];
  onPick: (id: string) => void;
}) {
  const { data } = $api.useQuery("get", "/api/products/{productId}/releases", {
    params: { path: { productId: product.id }, query: { pageSize: 100, sort: "-createdAt" } },
  });
  return (
    <Autocomplete
      key={taken.length}
      fullWidth
      options={(data?.items ?? []).filter((release) => !taken.includes(release.id))}
      getOptionLabel={(release) => `${release.version} (${release.channel})`}
      getOptionKey={(release) => release.id}
      noOptionsText={t`No more releases`}
      onChange={(_, release) => {
        if (release) onPick(release.id);
      }}
      renderInput={(params) => <TextField {...params} label={t`Add release`} />}
    />
  );
}

const removalOf = (release: string) => t`${release}, remove with the Delete key`;

/** Selects single releases of other products: first the product, then the release. */
export function ReleasesField(props: ReleasesFieldProps) {
  const { institutionId, productIds, inputRef, value, message, onChange } = props;
  const [search, setSearch] = useState("");
  const [product, setProduct] = useState<Product | null>(null);
  const names = useReleaseNames(value);
  const query = { institutionId, search, pageSize: 50, sort: "name" };
  const { data } = $api.useQuery(
    "get",
    "/api/products",
    { params: { query } },
    { placeholderData: (before) => before },
  );
  return (
    <Column as="fieldset" gap="m" className={styles.releases}>
      <Muted component="legend">
        {t`Individual releases of other products, including their licenses`}
      </Muted>
      {value.length > 0 && (
        <Row gap="s" wraps>
          {value.map((id) => (
            <Chip
              key={id}
              label={names[id] ?? "…"}
              aria-label={removalOf(names[id] ?? t`Release`)}
              onDelete={() => onChange(value.filter((other) => other !== id))}
            />
          ))}
        </Row>
      )}
      <Row gap="m" align="stretch" folds>
        <Autocomplete
          fullWidth
          options={(data?.items ?? []).filter((item) => !productIds.includes(item.id))}
          value={product}
          getOptionLabel={(item) => item.name}
          getOptionKey={(item) => item.id}
          isOptionEqualToValue={(one, other) => one.id === other.id}
          noOptionsText={t`No more products`}
          onChange={(_, chosen) => setProduct(chosen)}
          onInputChange={(_, text, reason) => {
            if (reason === "input") setSearch(text);
          }}
          renderInput={(params) => (
            <TextField {...params} label={t`Product of the release`} inputRef={inputRef} />
          )}
        />
        {product && (
          <VersionField
            key={product.id}
            product={product}
            taken={value}
            onPick={(id) => onChange([...value, id])}
          />
        )}
      </Row>
      {message && <FormHelperText error>{message}</FormHelperText>}
    </Column>
  );
}
