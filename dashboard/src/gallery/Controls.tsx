import Button from "@mui/material/Button";
import Checkbox from "@mui/material/Checkbox";
import FormControlLabel from "@mui/material/FormControlLabel";
import IconButton from "@mui/material/IconButton";
import Radio from "@mui/material/Radio";
import Switch from "@mui/material/Switch";
import Tab from "@mui/material/Tab";
import Tabs from "@mui/material/Tabs";
import ToggleButton from "@mui/material/ToggleButton";
import ToggleButtonGroup from "@mui/material/ToggleButtonGroup";
import { useState } from "react";
import { AddIcon, DeleteIcon, EditIcon } from "../ui/icons";
import { Part } from "./Part";

/** What is pressed and chosen. */
export const Controls = () => (
  <>
    <Part title="Buttons">
      <Button variant="contained" startIcon={<AddIcon />}>
        Issue license
      </Button>
      <Button variant="outlined">Edit</Button>
      <Button>Cancel</Button>
      <Button variant="contained" color="error">
        Revoke license
      </Button>
      <Button variant="outlined" color="error">
        Delete
      </Button>
      <Button variant="contained" loading>
        Saving
      </Button>
      <Button variant="outlined" disabled>
        Disabled
      </Button>
      <Button size="small" variant="outlined">
        Small
      </Button>
      <IconButton aria-label="Edit">
        <EditIcon />
      </IconButton>
      <IconButton aria-label="Delete" size="small">
        <DeleteIcon />
      </IconButton>
    </Part>
    <Part title="Choices">
      <Choices />
    </Part>
  </>
);

function Choices() {
  const [period, setPeriod] = useState("30");
  const [tab, setTab] = useState(0);
  return (
    <>
      <FormControlLabel control={<Checkbox defaultChecked />} label="Include ended" />
      <FormControlLabel control={<Radio checked />} label="Online" />
      <FormControlLabel control={<Radio checked={false} />} label="Offline" />
      <FormControlLabel control={<Switch defaultChecked />} label="Bind to one machine" />
      <FormControlLabel control={<Switch />} label="Off" />
      <ToggleButtonGroup
        exclusive
        aria-label="Period"
        value={period}
        onChange={(_, chosen: string | null) => {
          if (chosen) setPeriod(chosen);
        }}
      >
        <ToggleButton value="7">7 days</ToggleButton>
        <ToggleButton value="30">30 days</ToggleButton>
        <ToggleButton value="90">90 days</ToggleButton>
      </ToggleButtonGroup>
      <Tabs aria-label="Tabs" value={tab} onChange={(_, chosen: number) => setTab(chosen)}>
        <Tab label="Overview" />
        <Tab label="Devices" />
        <Tab label="Why?" />
      </Tabs>
    </>
  );
}
