import Alert from "@mui/material/Alert";
import Button from "@mui/material/Button";
import { Link } from "react-router";
import { $api } from "../../api/client";
import { dateTime } from "../../ui/formats";

/** Pending invitations of the institution, for its Owners to accept. */
export function Invitations({ institutionId }: { institutionId: string | null | undefined }) {
  const { data } = $api.useQuery("get", "/api/associations", {
    params: { query: { pageSize: 100 } },
  });
  const pending = (data?.items ?? []).filter(
    (item) => item.status === "Invited" && item.institutionId === institutionId,
  );
  return pending.map(({ id, vendorName, productName, expiresAt, acceptUrl }) => {
    const url = acceptUrl ? new URL(acceptUrl) : null;
    return (
      <Alert
        key={id}
        severity="info"
        sx={{ overflowWrap: "anywhere" }}
        action={
          url && (
            <Button
              component={Link}
              // Wherever this page is served from.
              to={`${url.pathname}${url.search}`}
              color="inherit"
              size="small"
              aria-label={`Review the invitation of ${vendorName}`}
            >
              Review
            </Button>
          )
        }
      >
        {vendorName} invites your institution to receive licenses of {productName}.{" "}
        {url && expiresAt
          ? `The invitation expires ${dateTime(expiresAt)}.`
          : "An Owner of your institution can accept."}
      </Alert>
    );
  });
}
