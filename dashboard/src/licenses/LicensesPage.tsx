import { DataProviderContext, ListBase } from "ra-core";
import Button from "@mui/material/Button";
import AddIcon from "@mui/icons-material/Add";
import { Link } from "react-router";
import { Page } from "../ui/Page";
import { useCan, useInstitution } from "../ui/useInstitution";
import { ListBody } from "./list/ListBody";
import { ListExport } from "./list/ListExport";
import { ListFilters } from "./list/ListFilters";
import { ListViews } from "./list/ListViews";
import { NEWEST_FIRST } from "./list/listViews";
import { useLicenseListData } from "./list/useLicenseListData";

/** The licenses of the institution, with search, filters, saved views and bulk actions. */
export default function LicensesPage() {
  const { institutionId } = useInstitution();
  const can = useCan();
  const listData = useLicenseListData();
  if (institutionId === undefined) return <Page title="Licenses">{null}</Page>;
  return (
    <DataProviderContext value={listData}>
      <ListBase
        key={institutionId}
        resource="licenses"
        storeKey={`licenses.${institutionId ?? "all"}`}
        perPage={25}
        sort={NEWEST_FIRST}
        {...(institutionId && { filter: { institutionId } })}
        exporter={false}
        // The page shows the error; a notification would repeat it.
        queryOptions={{ onError: () => undefined }}
      >
        <Page
          title="Licenses"
          help="license-lifecycle"
          actions={
            <>
              <ListExport />
              {can.manage && (
                <Button
                  component={Link}
                  to="/licenses/new"
                  variant="contained"
                  startIcon={<AddIcon />}
                >
                  Issue license
                </Button>
              )}
            </>
          }
        >
          <ListViews />
          <ListFilters />
          <ListBody />
        </Page>
      </ListBase>
    </DataProviderContext>
  );
}
