import Box from "@mui/material/Box";
import { AppBar, ToggleThemeButton } from "react-admin";
import { NotificationBell } from "../notifications/NotificationBell";
import { Brand } from "../ui/Brand";
import { useInstitution, useIsShutOut } from "../ui/useInstitution";
import { UserMenu } from "../ui/UserMenu";
import { InstitutionSwitcher } from "./InstitutionSwitcher";

export const Bar = () => (
  <AppBar
    color="inherit"
    userMenu={<UserMenu />}
    toolbar={
      <>
        <Notifications />
        <ToggleThemeButton />
      </>
    }
  >
    <Brand />
    <Box sx={{ flex: 1, minWidth: 0, display: "flex", justifyContent: "flex-end" }}>
      <InstitutionSwitcher />
    </Box>
  </AppBar>
);

/** Not for a session that reaches no institution: the server would refuse every request. */
function Notifications() {
  const { profile } = useInstitution();
  const isShutOut = useIsShutOut();
  return profile && !isShutOut && <NotificationBell />;
}
