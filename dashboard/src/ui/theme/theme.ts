import "@fontsource-variable/inter";
import "./tokens.css";
import type { ThemeOptions } from "@mui/material/styles";
import { controls } from "./controls";
import { surfaces } from "./surfaces";

const FAMILY = "var(--family)";

/** A tone of `tokens.css` as a color of MUI's palette. */
const tone = (name: string) => ({
  main: `var(--${name})`,
  light: `var(--${name}-soft)`,
  dark: `var(--${name})`,
  contrastText: "var(--sheet)",
});

const text = (size: string, height: string, weight = 400) => ({
  fontFamily: FAMILY,
  fontSize: `var(--type-${size})`,
  lineHeight: height,
  fontWeight: weight,
  letterSpacing: 0,
});
const title = { ...text("title", "28px", 650), letterSpacing: "-0.014em" };
const heading = text("body", "20px", 620);

/** MUI's theme: its colors are the tokens, so light and dark are a matter of CSS alone. */
export const themeOptions: ThemeOptions = {
  cssVariables: { nativeColor: true, cssVarPrefix: "m" },
  palette: {
    primary: {
      main: "var(--accent)",
      light: "var(--accent-soft)",
      dark: "var(--accent-deep)",
      contrastText: "var(--on-accent)",
    },
    secondary: tone("over"),
    success: tone("good"),
    warning: tone("wait"),
    error: tone("bad"),
    info: tone("news"),
    background: { default: "var(--ground)", paper: "var(--sheet)" },
    text: { primary: "var(--ink)", secondary: "var(--muted)", disabled: "var(--faded)" },
    action: {
      active: "var(--muted)",
      hover: "var(--hover)",
      selected: "var(--selected)",
      disabled: "var(--faded)",
      disabledBackground: "var(--over-soft)",
    },
    divider: "var(--line)",
  },
  shape: { borderRadius: 6 },
  breakpoints: { values: { xs: 0, sm: 600, md: 900, lg: 1200, xl: 1600 } },
  typography: {
    fontFamily: FAMILY,
    h1: title,
    h2: title,
    h3: title,
    h4: title,
    h5: title,
    h6: heading,
    subtitle1: heading,
    subtitle2: text("dense", "20px", 600),
    body1: text("body", "20px"),
    body2: text("dense", "20px"),
    caption: text("small", "16px"),
    overline: { ...text("small", "16px", 550), textTransform: "none" },
    button: { ...text("dense", "20px", 560), textTransform: "none" },
  },
  components: { ...controls, ...surfaces },
};
