// @ts-check
// REST for the operator's page.

import { call, query } from "./api.js";

/** @import { AuditLine, OperatorAccount, OperatorJobs, OperatorSetting, OperatorStatus, Page, Pulse } from "../core/types.js" */

/** @type {() => Promise<OperatorStatus>} */
export const getOperatorStatus = () => call("GET", "/operator/status");
/** @type {() => Promise<Pulse>} */
export const getOperatorPulse = () => call("GET", "/operator/pulse");
/**
 * `filter`: a grant, `disabled`, or `all`.
 * @type {(wish: { search: string | null, filter: string }, cursor: string | null) => Promise<Page<OperatorAccount>>}
 */
export const getOperatorAccounts = ({ search, filter }, cursor) => {
  const isGrant = !["all", "disabled"].includes(filter);
  const disabled = filter === "disabled" ? "true" : null;
  return call("GET", `/operator/accounts?${query({ search, grant: isGrant ? filter : null, disabled, cursor })}`);
};
/** @type {() => Promise<OperatorJobs>} */
export const getOperatorJobs = () => call("GET", "/operator/jobs");
/** @type {() => Promise<{ items: OperatorSetting[] }>} */
export const getOperatorSettings = () => call("GET", "/operator/settings");
/** @type {(cursor: string | null) => Promise<Page<AuditLine>>} */
export const getOperatorAudit = (cursor) => call("GET", `/operator/audit?${query({ cursor })}`);
