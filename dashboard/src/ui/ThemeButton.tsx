import { t } from "@lingui/core/macro";
import IconButton from "@mui/material/IconButton";
import Tooltip from "@mui/material/Tooltip";
import { MoonIcon, SunIcon } from "./icons";
import { useMode } from "./theme/mode";

/** Switches between the light and the dark theme. */
export function ThemeButton() {
  const { theme, choose } = useMode();
  const other = theme === "dark" ? "light" : "dark";
  const label = other === "dark" ? t`Use the dark theme` : t`Use the light theme`;
  return (
    <Tooltip title={label}>
      <IconButton aria-label={label} onClick={() => choose(other)}>
        {theme === "dark" ? <SunIcon /> : <MoonIcon />}
      </IconButton>
    </Tooltip>
  );
}
