// @ts-check
// A link as a QR code, for the camera of a phone beside this device.
//
//   svg.qr-code[role=img] > path

import { svg } from "../../core/dom.js";
import { t } from "../../core/i18n.js";

/** The empty border around a code, in modules, as its standard (ISO/IEC 18004) asks. */
const QUIET = 4;

/** The drawing arrives with its library; until then the element is empty. @param {string} url */
export function qrCode(url) {
  const el = svg("svg", { class: "qr-code", role: "img", "aria-label": t("share.qr") });
  import("../../vendor/uqr.js").then(
    ({ encode }) => {
      const { data, size } = encode(url, { ecc: "M", border: 0 });
      const full = size + 2 * QUIET;
      const dark = data.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? `M${x + QUIET} ${y + QUIET}h1v1h-1z` : [])));
      el.setAttribute("viewBox", `0 0 ${full} ${full}`);
      el.append(svg("path", { d: dark.join("") }));
    },
    // Without the library the link alone remains.
    () => el.remove(),
  );
  return el;
}
