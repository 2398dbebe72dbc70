// What the window may ask of the main process.
const { contextBridge, ipcRenderer } = require("electron");

contextBridge.exposeInMainWorld("notes", {
  export: (text) => ipcRenderer.invoke("export", text),
  useKey: (licenseKey) => ipcRenderer.invoke("key", licenseKey), // licet
  onLicense: (show) => ipcRenderer.on("license", (_event, message) => show(message)), // licet
});
