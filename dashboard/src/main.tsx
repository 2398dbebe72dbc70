import { activateLocale } from "./ui/locale/locale";
import { showTheme } from "./ui/theme/mode";

// Before anything is drawn, so that nothing changes its color or its language. Not awaited: what is
// loaded imports from here, and would wait for it.
showTheme();
void activateLocale()
  .then(() => import("./app/start"))
  .then(({ start }) => {
    start();
  });
