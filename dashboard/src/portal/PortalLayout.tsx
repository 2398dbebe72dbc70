import AppBar from "@mui/material/AppBar";
import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import CssBaseline from "@mui/material/CssBaseline";
import Toolbar from "@mui/material/Toolbar";
import type { ReactNode } from "react";
import { ToggleThemeButton } from "react-admin";
import { Link } from "react-router";
import { Brand } from "../ui/Brand";
import { EmptyState } from "../ui/EmptyState";
import { Page } from "../ui/Page";
import { UnverifiedBanner } from "../ui/UnverifiedBanner";
import { useInstitution } from "../ui/useInstitution";
import { UserMenu } from "../ui/UserMenu";

/** Layout of the portal. Members of an institution also get a link to the dashboard. */
export function PortalLayout({ children }: { children: ReactNode }) {
  const { institutionId, profile } = useInstitution();
  const isOperator = Boolean(institutionId) || profile?.isSystemAdmin === true;
  return (
    <Box sx={{ minHeight: "100vh", bgcolor: "background.default", color: "text.primary" }}>
      <CssBaseline />
      <AppBar position="sticky">
        <Toolbar variant="dense" sx={{ gap: 1, maxWidth: 1120, width: "100%", mx: "auto" }}>
          <Brand to="/portal" />
          <Box sx={{ flex: 1 }} />
          {isOperator && (
            <Button component={Link} to="/" color="inherit">
              Dashboard
            </Button>
          )}
          <ToggleThemeButton />
          <UserMenu />
        </Toolbar>
      </AppBar>
      <Box component="main" sx={{ maxWidth: 1120, mx: "auto", px: { xs: 1.5, sm: 3 }, pb: 6 }}>
        <UnverifiedBanner />
        {profile?.emailVerified && children}
        {profile?.emailVerified === false && (
          <Page title="My licenses">
            <EmptyState title="Verify your email address">
              Your licenses appear once your email address is verified. Open the link in the email
              we sent you, then reload this page.
            </EmptyState>
          </Page>
        )}
      </Box>
    </Box>
  );
}
