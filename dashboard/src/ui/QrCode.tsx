import Skeleton from "@mui/material/Skeleton";
import { useQuery } from "@tanstack/react-query";
import styles from "./qrCode.module.css";

interface QrCodeProps {
  content: string;
  /** What it holds, for those who cannot see it. */
  label: string;
  /** Width and height in pixels, where there is room. */
  size: number;
}

/** A QR code that is drawn here, so that its content is sent to no other server. */
export function QrCode({ content, label, size }: QrCodeProps) {
  const { data } = useQuery({
    queryKey: ["qr-code", content],
    queryFn: async () => {
      const { toString } = await import("qrcode");
      const svg = await toString(content, { type: "svg", margin: 2, errorCorrectionLevel: "L" });
      return `data:image/svg+xml;utf8,${encodeURIComponent(svg)}`;
    },
    gcTime: 0,
    staleTime: Infinity,
  });
  if (!data) return <Skeleton variant="rounded" width={size} height={size} />;
  return <img src={data} alt={label} width={size} height={size} className={styles.code} />;
}
