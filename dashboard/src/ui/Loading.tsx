import Box from "@mui/material/Box";
import CircularProgress from "@mui/material/CircularProgress";

/** What is shown until the code of a page has been loaded. */
export const Loading = () => (
  <Box sx={{ display: "grid", placeItems: "center", minHeight: 240 }}>
    <CircularProgress aria-label="Loading" />
  </Box>
);
