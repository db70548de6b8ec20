// @ts-check
// The passkeys of the browser (WebAuthn): new ones, and answers to a challenge, in the JSON of the standard. Older browsers know the calls
// without their JSON, which is made here then.

/** @typedef {any} Options the options of a challenge, in JSON */

/** Whether browsers have passkeys for this site: an address is no domain. */
export const hasPasskeys = () => "PublicKeyCredential" in window && !/^[\d.]+$|:|^\[/.test(location.hostname);

/** Makes a passkey. @param {Options} options @returns {Promise<object>} */
export async function createPasskey(options) {
  const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON?.(options) ?? {
    ...options,
    challenge: bytes(options.challenge),
    user: { ...options.user, id: bytes(options.user.id) },
    excludeCredentials: options.excludeCredentials.map(withBytes),
  };
  return json(await navigator.credentials.create({ publicKey }));
}

/**
 * Answers a challenge by a passkey.
 * @param {Options} options
 * @param {AbortSignal} signal
 * @param {CredentialMediationRequirement} [mediation] `conditional`: by a choice in a field with the word `webauthn`, without a dialog
 * @returns {Promise<object>}
 */
export async function usePasskey(options, signal, mediation = "optional") {
  const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON?.(options) ?? {
    ...options,
    challenge: bytes(options.challenge),
    allowCredentials: (options.allowCredentials ?? []).map(withBytes),
  };
  return json(await navigator.credentials.get({ publicKey, mediation, signal }));
}

/** Whether the browser offers passkeys in a field of a form. @returns {Promise<boolean>} */
export const offersInFields = async () => (await PublicKeyCredential.isConditionalMediationAvailable?.()) === true;

const withBytes = (/** @type {Options} */ credential) => ({ ...credential, id: bytes(credential.id) });

/** @param {Credential | null} credential @returns {object} */
function json(credential) {
  if (!(credential instanceof PublicKeyCredential)) throw new DOMException("no credential", "NotAllowedError");
  return credential.toJSON?.() ?? ownJson(credential);
}

/** The parts of an answer that are bytes. */
const PARTS = ["clientDataJSON", "attestationObject", "authenticatorData", "signature", "userHandle"];

/**
 * The JSON of an answer, for browsers that do not write it.
 * @param {{ id: string, type: string, response: any, authenticatorAttachment: string | null, getClientExtensionResults: () => object }} credential
 */
export function ownJson({ id, type, response, authenticatorAttachment, ...credential }) {
  const parts = PARTS.filter((part) => response[part]).map((part) => [part, base64(response[part])]);
  const transports = response.getTransports?.();
  return {
    id,
    rawId: id,
    type,
    response: { ...Object.fromEntries(parts), ...(transports ? { transports } : {}) },
    ...(authenticatorAttachment ? { authenticatorAttachment } : {}),
    clientExtensionResults: credential.getClientExtensionResults?.() ?? {},
  };
}

/** Reads base64url. @param {string} text */
export const bytes = (text) => Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (letter) => letter.charCodeAt(0));

/** Writes base64url. @param {ArrayBuffer} data */
export const base64 = (data) =>
  btoa(String.fromCharCode(...new Uint8Array(data)))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replaceAll("=", "");
