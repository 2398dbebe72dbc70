import { t } from "@lingui/core/macro";
import Autocomplete from "@mui/material/Autocomplete";
import Chip from "@mui/material/Chip";
import Stack from "@mui/material/Stack";
import TextField from "@mui/material/TextField";
import Typography from "@mui/material/Typography";
import { useState } from "react";
import { $api } from "../../api/client";
import type { Product } from "../../api/types";
import { useReleaseNames } from "./names";

interface ReleasesFieldProps {
  institutionId: string;
  /** Products assigned as a whole; their releases need no assignment. */
  productIds: string[];
  value: string[];
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
  const { institutionId, productIds, value, onChange } = props;
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
    <Stack component="fieldset" sx={{ gap: 1.5, border: 0, m: 0, p: 0, minWidth: 0 }}>
      <Typography component="legend" variant="body2" color="textSecondary" sx={{ mb: 1, p: 0 }}>
        {t`Individual releases of other products, including their licenses`}
      </Typography>
      {value.length > 0 && (
        <Stack direction="row" sx={{ gap: 0.75, flexWrap: "wrap" }}>
          {value.map((id) => (
            <Chip
              key={id}
              label={names[id] ?? "…"}
              aria-label={removalOf(names[id] ?? t`Release`)}
              onDelete={() => {
                onChange(value.filter((other) => other !== id));
              }}
            />
          ))}
        </Stack>
      )}
      <Stack direction={{ xs: "column", sm: "row" }} sx={{ gap: 1.5 }}>
        <Autocomplete
          fullWidth
          options={(data?.items ?? []).filter((item) => !productIds.includes(item.id))}
          value={product}
          getOptionLabel={(item) => item.name}
          getOptionKey={(item) => item.id}
          isOptionEqualToValue={(one, other) => one.id === other.id}
          noOptionsText={t`No more products`}
          onChange={(_, chosen) => {
            setProduct(chosen);
          }}
          onInputChange={(_, text, reason) => {
            if (reason === "input") setSearch(text);
          }}
          renderInput={(params) => <TextField {...params} label={t`Product of the release`} />}
        />
        {product && (
          <VersionField
            key={product.id}
            product={product}
            taken={value}
            onPick={(id) => {
              onChange([...value, id]);
            }}
          />
        )}
      </Stack>
    </Stack>
  );
}
