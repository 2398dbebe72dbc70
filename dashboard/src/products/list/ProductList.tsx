import InventoryIcon from "@mui/icons-material/Inventory2Outlined";
import Link from "@mui/material/Link";
import Stack from "@mui/material/Stack";
import Typography from "@mui/material/Typography";
import type { ReactNode } from "react";
import { DataTable, SearchInput } from "react-admin";
import { Link as RouterLink } from "react-router";
import type { Product } from "../../api/types";
import { DataList } from "../../ui/DataList";
import { EmptyState } from "../../ui/EmptyState";
import { date, number } from "../../ui/formats";
import { StatusChip } from "../../ui/StatusChip";
import { ProductPicture } from "../parts/ProductPicture";

const FILTERS = [
  <SearchInput key="search" source="search" placeholder="Search by name" alwaysOn />,
];
const WIDE = { display: { xs: "none", sm: "table-cell" } };
const Column = DataTable.Col<Product>;

const Name = ({ product }: { product: Product }) => (
  <Stack direction="row" sx={{ gap: 1.5, alignItems: "center", minWidth: 0 }}>
    <ProductPicture product={product} />
    <Link
      component={RouterLink}
      to={`/products/${product.id}`}
      underline="hover"
      dir="auto"
      sx={{ fontWeight: 600, overflowWrap: "anywhere", minWidth: 0 }}
    >
      {product.name}
    </Link>
  </Stack>
);

interface ProductListProps {
  /** Undefined while loading. */
  institutionId: string | undefined;
  add: ReactNode;
}

export const ProductList = ({ institutionId, add }: ProductListProps) => (
  <DataList<Product>
    resource="products"
    filter={{ institutionId }}
    filters={FILTERS}
    sort={{ field: "name", order: "ASC" }}
    queryOptions={{ enabled: institutionId !== undefined }}
    empty={
      <EmptyState
        icon={<InventoryIcon color="disabled" fontSize="large" />}
        title="No products yet"
        action={add}
      >
        Licenses are issued for products. A product comes with its first release and a product key,
        which your application uses to call the service.
      </EmptyState>
    }
  >
    <DataTable<Product>
      bulkActionButtons={false}
      rowClick={(id) => `/products/${String(id)}`}
      empty={<Typography sx={{ p: 3 }}>No products match your search.</Typography>}
    >
      <Column source="name" label="Name" render={(product) => <Name product={product} />} />
      <Column
        source="hasKeys"
        label="RSA keys"
        disableSort
        render={(product) => (
          <StatusChip
            status={product.hasKeys ? "Ready" : "Missing"}
            tone={product.hasKeys ? "success" : "warning"}
          />
        )}
      />
      <Column source="accessType" label="Access" disableSort sx={WIDE} />
      <Column
        source="licenseCount"
        label="Licenses"
        align="right"
        sx={WIDE}
        render={(product) => (product.licenseCount === null ? "—" : number(product.licenseCount))}
      />
      <Column
        source="createdAt"
        label="Created"
        sx={{ ...WIDE, whiteSpace: "nowrap" }}
        render={(product) => date(product.createdAt)}
      />
    </DataTable>
  </DataList>
);
