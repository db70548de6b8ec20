//! The page's files as they cross the line: compressed once each, as small as Brotli makes them. What is made for one answer only is
//! compressed on its way, faster and less.

use std::borrow::Cow;
use std::collections::HashMap;
use std::sync::{Arc, LazyLock, Mutex};

use axum::body::Bytes;
use axum::http::{HeaderMap, header};
use brotli::enc::BrotliEncoderParams;
use tokio::sync::OnceCell;

use crate::http::error::ApiError;

/// As good as it gets; the files of the page take about a second altogether.
const QUALITY: i32 = 11;

type Cell = Arc<OnceCell<Bytes>>;

/// By the SHA-256 of what a file holds. There are as many as the page has files; and the document
/// once a page, game and language; a debug build, which reads them anew, adds what changes.
static PACKED: LazyLock<Mutex<HashMap<[u8; 32], Cell>>> = LazyLock::new(Mutex::default);

/// Whether whoever asks understands Brotli.
pub(super) fn is_understood(headers: &HeaderMap) -> bool {
    let accepted = headers.get_all(header::ACCEPT_ENCODING).into_iter();
    accepted
        .filter_map(|value| value.to_str().ok())
        .flat_map(|value| value.split(','))
        .any(|one| {
            let (coding, weight) = one.split_once(';').unwrap_or((one, ""));
            let weight = weight.trim().strip_prefix("q=").map(str::parse::<f32>);
            coding.trim().eq_ignore_ascii_case("br")
                && weight.is_none_or(|q| q.is_ok_and(|q| q > 0.0))
        })
}

/// Whether a file of this media type is worth it: pictures and fonts are packed already, and WebAssembly takes too long for the first who
/// asks; it is compressed on its way.
pub(super) fn is_worth_it(kind: &str) -> bool {
    kind.starts_with("text/") || ["application/json", "image/svg+xml"].contains(&kind)
}

/// The file of this SHA-256, compressed; who asks while that is being done waits for the same.
///
/// # Errors
/// [`ApiError::Internal`] when compressing has panicked.
pub(super) async fn packed(
    digest: [u8; 32],
    content: Cow<'static, [u8]>,
) -> Result<Bytes, ApiError> {
    let cell = {
        let mut known = PACKED.lock().expect("nothing panics with the lock");
        Arc::clone(known.entry(digest).or_default())
    };
    let packed = cell.get_or_try_init(|| async {
        let done = tokio::task::spawn_blocking(move || pack(&content)).await;
        done.map_err(|_| ApiError::Internal)
    });
    packed.await.cloned()
}

fn pack(mut data: &[u8]) -> Bytes {
    let params = BrotliEncoderParams {
        quality: QUALITY,
        size_hint: data.len(),
        ..BrotliEncoderParams::default()
    };
    let mut packed = Vec::new();
    brotli::BrotliCompress(&mut data, &mut packed, &params)
        .expect("memory takes what is written to it");
    packed.into()
}
