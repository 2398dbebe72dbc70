import AddIcon from "@mui/icons-material/Add";
import InventoryIcon from "@mui/icons-material/Inventory2Outlined";
import Button from "@mui/material/Button";
import Link from "@mui/material/Link";
import Stack from "@mui/material/Stack";
import Typography from "@mui/material/Typography";
import { DataTable, SearchInput } from "react-admin";
import { Link as RouterLink, useNavigate } from "react-router";
import type { Product } from "../api/types";
import { DataList } from "../ui/DataList";
import { EmptyState } from "../ui/EmptyState";
import { date, number } from "../ui/formats";
import { StatusChip } from "../ui/StatusChip";
import { useInstitution } from "../ui/useInstitution";
import type { TabProps } from "./parts/TabProps";

const FILTERS = [
  <SearchInput key="search" source="search" placeholder="Search by name" alwaysOn />,
];
const WIDE = { display: { xs: "none", sm: "table-cell" } };
const Column = DataTable.Col<Product>;

/** Switches to this institution first: a new product belongs to the current one. */
function NewProduct({ institutionId }: { institutionId: string }) {
  const { switchTo } = useInstitution();
  const navigate = useNavigate();
  return (
    <Button
      variant="contained"
      startIcon={<AddIcon />}
      onClick={() => {
        switchTo(institutionId);
        void navigate("/products/new");
      }}
    >
      New product
    </Button>
  );
}

export function ProductsTab({ institutionId, can }: TabProps) {
  const { memberships } = useInstitution();
  const belongs = memberships.some((item) => item.institutionId === institutionId);
  const add = can.manage && belongs && <NewProduct institutionId={institutionId} />;
  return (
    <>
      {add && <Stack sx={{ alignItems: "flex-end", mb: 1 }}>{add}</Stack>}
      <DataList<Product>
        resource="products"
        storeKey={`institution.${institutionId}.products`}
        filter={{ institutionId }}
        filters={FILTERS}
        sort={{ field: "name", order: "ASC" }}
        empty={
          <EmptyState
            icon={<InventoryIcon color="disabled" fontSize="large" />}
            title="No products yet"
          >
            {can.manage || can.role !== "Member"
              ? "Licenses are issued for products. The products of this institution are listed here."
              : "No products are assigned to you yet. Ask an Owner or Admin of the institution."}
          </EmptyState>
        }
      >
        <DataTable<Product>
          bulkActionButtons={false}
          rowClick={(id) => `/products/${String(id)}`}
          empty={<Typography sx={{ p: 3 }}>No products match your search.</Typography>}
        >
          <Column
            source="name"
            label="Name"
            sx={{ overflowWrap: "anywhere" }}
            render={(product) => (
              <Link
                component={RouterLink}
                to={`/products/${product.id}`}
                underline="hover"
                dir="auto"
                sx={{ fontWeight: 600 }}
              >
                {product.name}
              </Link>
            )}
          />
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
          <Column
            source="licenseCount"
            label="Licenses"
            align="right"
            sx={WIDE}
            render={(product) =>
              product.licenseCount === null ? "—" : number(product.licenseCount)
            }
          />
          <Column
            source="createdAt"
            label="Created"
            sx={{ ...WIDE, whiteSpace: "nowrap" }}
            render={(product) => date(product.createdAt)}
          />
        </DataTable>
      </DataList>
    </>
  );
}
