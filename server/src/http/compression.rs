//! Compression of responses made for one request: gzip at low effort, and only small ones on the async threads.

use std::io::{self, Write};
use std::sync::Arc;

use axum::body::{Body, Bytes, HttpBody};
use axum::extract::{Request, State};
use axum::http::{HeaderValue, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use flate2::write::GzEncoder;
use futures_util::{StreamExt, stream};

use crate::app::App;
use crate::http::error::ApiError;
use crate::http::streams;
use crate::page::pack::{self, Effort};
use crate::page::precompressed::{Coding, tag_in};

/// The smallest response that is compressed: below this size it fits in a packet or two as it is.
const MIN_BYTES: u64 = 1024;

/// The largest response that is compressed on an async thread, which takes some 0.2 ms. Pages of a list are usually shorter.
const MAX_INLINE_BYTES: u64 = 16 * 1024;

/// About half the size, at a hundred megabytes a second.
const EFFORT: Effort = Effort { brotli: 0, gzip: 1 };

/// Compresses a suitable response if the client accepts gzip.
pub(crate) async fn compress(State(app): State<App>, request: Request, next: Next) -> Response {
    let takes_gzip = Coding::takes_gzip(request.headers());
    let mut response = next.run(request).await;
    if !is_compressible(&response) {
        return response;
    }
    let by_coding = HeaderValue::from_static("accept-encoding");
    response.headers_mut().append(header::VARY, by_coding);
    if !takes_gzip {
        return response;
    }
    let (mut parts, body) = response.into_parts();
    let size = body.size_hint().exact();
    let packed = match size {
        None => in_chunks(app, body),
        Some(size) if size <= MAX_INLINE_BYTES => {
            let Ok(content) = whole(body).await else {
                return broken();
            };
            app.compression.count(&content);
            pack::gzip(&content, EFFORT).into()
        }
        Some(_) => {
            let Some(place) = app.compression.try_offload() else {
                return Response::from_parts(parts, body);
            };
            let Ok(content) = whole(body).await else {
                return broken();
            };
            let packing = tokio::task::spawn_blocking(move || {
                let _place = place;
                pack::gzip(&content, EFFORT)
            });
            match packing.await {
                Ok(packed) => packed.into(),
                Err(_) => return broken(),
            }
        }
    };
    parts.headers.remove(header::CONTENT_LENGTH);
    let gzip = HeaderValue::from_static("gzip");
    parts.headers.insert(header::CONTENT_ENCODING, gzip);
    if let Some(tag) = parts.headers.get_mut(header::ETAG) {
        *tag = tag_in(Coding::Gzip, tag);
    }
    Response::from_parts(parts, packed)
}

/// Returns whether a response is finite text, long enough, and not compressed yet. A live stream is not suitable: the encoder would hold
/// lines back.
fn is_compressible(response: &Response) -> bool {
    let headers = response.headers();
    let kind = headers.get(header::CONTENT_TYPE);
    let kind = kind.and_then(|kind| kind.to_str().ok()).unwrap_or_default();
    let is_text = kind.starts_with("text/")
        || ["json", "ndjson", "x-draughts-pdn"]
            .iter()
            .any(|word| kind.contains(word));
    let size = response.body().size_hint().exact();
    is_text
        && size.is_none_or(|size| size >= MIN_BYTES)
        && response.status() != StatusCode::NOT_MODIFIED
        && !headers.contains_key(header::CONTENT_ENCODING)
        && response.extensions().get::<streams::Live>().is_none()
}

/// Returns a body that is already in memory as one piece.
async fn whole(body: Body) -> Result<Bytes, axum::Error> {
    axum::body::to_bytes(body, usize::MAX).await
}

/// Returns the response for a broken body, or for a panic during compression.
fn broken() -> Response {
    ApiError::Internal.into_response()
}

/// Compresses an export as it is produced, and flushes after each chunk, so that none waits for the next. [`super::export`] determines
/// the length of a chunk.
fn in_chunks(app: App, body: Body) -> Body {
    let encoder = GzEncoder::new(Vec::new(), flate2::Compression::new(EFFORT.gzip));
    let chunks = stream::try_unfold(
        (body.into_data_stream(), Some(encoder)),
        move |(mut chunks, encoder)| {
            let app = Arc::clone(&app);
            async move {
                let Some(mut encoder) = encoder else {
                    return Ok::<_, axum::BoxError>(None);
                };
                match chunks.next().await {
                    Some(chunk) => {
                        let chunk = chunk?;
                        app.compression.count(&chunk);
                        let packed = flushed(&mut encoder, &chunk)?;
                        Ok(Some((packed, (chunks, Some(encoder)))))
                    }
                    None => Ok(Some((encoder.finish()?.into(), (chunks, None)))),
                }
            }
        },
    );
    Body::from_stream(chunks)
}

fn flushed(encoder: &mut GzEncoder<Vec<u8>>, chunk: &[u8]) -> io::Result<Bytes> {
    encoder.write_all(chunk)?;
    encoder.flush()?;
    Ok(std::mem::take(encoder.get_mut()).into())
}
