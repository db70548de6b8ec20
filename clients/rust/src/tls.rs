//! The one configuration of TLS, for requests and sockets alike.

use std::sync::Arc;

use rustls::{ClientConfig, RootCertStore};

use crate::errors::Error;

/// Returns the configuration of a client that trusts the authorities that Mozilla trusts.
pub(crate) fn with_public_roots() -> Result<Arc<ClientConfig>, Error> {
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let roots = RootCertStore::from_iter(webpki_roots::TLS_SERVER_ROOTS.iter().cloned());
    let config = ClientConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .map_err(|error| Error::Configuration(format!("TLS: {error}")))?
        .with_root_certificates(roots)
        .with_no_client_auth();
    Ok(Arc::new(config))
}
