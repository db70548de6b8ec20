//! The address of a client behind a proxy.

use std::net::IpAddr;

use axum::http::HeaderMap;

/// Returns the last address in `X-Forwarded-For`, which the proxy has added. The client can forge the others.
pub(crate) fn forwarded_for(headers: &HeaderMap) -> Option<IpAddr> {
    let last = headers.get_all("x-forwarded-for").iter().next_back()?;
    last.to_str().ok()?.rsplit(',').next()?.trim().parse().ok()
}
