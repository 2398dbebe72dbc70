/** An operating system: how files for it are named, and the browsers that run on it. */
interface System {
  name: string;
  files: RegExp;
  browsers: RegExp;
}

const SYSTEMS: readonly System[] = [
  { name: "Windows", files: /^win/i, browsers: /Windows/ },
  { name: "macOS", files: /^(mac|darwin|osx)/i, browsers: /Macintosh/ },
  { name: "Linux", files: /^linux/i, browsers: /Linux(?!; Android)|X11/ },
];

/** The system that a file is for, by its platform such as "macos-arm64"; null if it is for all. */
export const systemOf = (platform: string | null): string | null =>
  platform && (SYSTEMS.find(({ files }) => files.test(platform))?.name ?? platform);

/** The system of the computer that the page is shown on; undefined on phones and others. */
export const OWN_SYSTEM = SYSTEMS.find(({ browsers }) => browsers.test(navigator.userAgent))?.name;
