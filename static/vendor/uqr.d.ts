/** The part of uqr 0.1.3 that the page uses. */
export function encode(text: string, options?: { ecc?: "L" | "M" | "Q" | "H"; border?: number }): { size: number; data: boolean[][] };
