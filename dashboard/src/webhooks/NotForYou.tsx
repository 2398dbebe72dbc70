import WebhookIcon from "@mui/icons-material/WebhookOutlined";
import Button from "@mui/material/Button";
import Card from "@mui/material/Card";
import { Link } from "react-router";
import { EmptyState } from "../ui/EmptyState";

/** In the place of a page whose address somebody opened who may not. */
export const NotForYou = () => (
  <Card>
    <EmptyState
      icon={<WebhookIcon color="disabled" fontSize="large" />}
      title="Owners and Admins look after webhooks"
      action={
        <Button component={Link} to="/" variant="outlined">
          Go home
        </Button>
      }
    >
      Webhooks tell other systems what happens here. If you need one, ask an Owner or Admin of your
      institution.
    </EmptyState>
  </Card>
);
