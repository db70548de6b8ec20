//! Content that is the same for every client: the page's files and documents, and the OpenAPI document. Each is compressed once, in
//! Brotli and in gzip, and never on an async thread.
//!
//! The build script compresses the files. Content that the running server assembles (the documents, the service worker, the OpenAPI
//! document), and in a debug build a file that has changed since, is compressed on the first request in that coding. The number of these
//! is fixed, and they are compressed one at a time.

use std::borrow::Cow;
use std::collections::HashMap;
use std::sync::{Arc, LazyLock};

use axum::body::Bytes;
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use base64::Engine;
use base64::prelude::BASE64_URL_SAFE_NO_PAD;
use sha2::{Digest, Sha256};
use tokio::sync::{OnceCell, Semaphore};

use crate::page::pack::{self, Effort};

/// A compression that did not end: its thread panicked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CompressionFailed;

/// The effort at run time: a tenth larger than the smallest result, in a sixth of the time (some 60 ms for a document).
const EFFORT: Effort = Effort { brotli: 9, gzip: 6 };

/// Held during a compression, so that only one runs at a time.
pub(crate) static COMPRESSION: Semaphore = Semaphore::const_new(1);

/// A file of the page as the build script compressed it: name, checksum and length, Brotli, gzip.
type Built = (&'static str, (u32, usize), &'static [u8], &'static [u8]);

static BUILT: &[Built] = include!(concat!(env!("OUT_DIR"), "/packed.rs"));

static BUILT_BY_NAME: LazyLock<HashMap<&str, &Built>> =
    LazyLock::new(|| BUILT.iter().map(|built| (built.0, built)).collect());

/// A content coding.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Coding {
    Identity,
    Gzip,
    Brotli,
}

impl Coding {
    /// Returns the smallest coding among those with the client's highest weight (RFC 9110, 12.5.3). A client that accepts none of them, not
    /// even identity, still gets identity.
    pub(crate) fn accepted(headers: &HeaderMap) -> Coding {
        let Weights {
            gzip,
            brotli,
            identity,
        } = Weights::from_headers(headers);
        let best = gzip.max(brotli);
        if best == 0 || identity.is_some_and(|identity| identity > best) {
            Coding::Identity
        } else if brotli == best {
            Coding::Brotli
        } else {
            Coding::Gzip
        }
    }

    /// Returns whether to use gzip for content that has no Brotli form.
    pub(crate) fn takes_gzip(headers: &HeaderMap) -> bool {
        let Weights { gzip, identity, .. } = Weights::from_headers(headers);
        gzip > 0 && identity.is_none_or(|identity| identity <= gzip)
    }

    /// Returns the name in `Content-Encoding`; `None` for identity.
    pub(crate) fn name(self) -> Option<HeaderValue> {
        match self {
            Coding::Identity => None,
            Coding::Gzip => Some(HeaderValue::from_static("gzip")),
            Coding::Brotli => Some(HeaderValue::from_static("br")),
        }
    }
}

/// The client's weight of each coding, in thousandths; 0 if not accepted.
#[derive(Debug)]
struct Weights {
    gzip: u16,
    brotli: u16,
    /// `None` if not mentioned: identity is then acceptable, but any other accepted coding is preferred.
    identity: Option<u16>,
}

impl Weights {
    fn from_headers(headers: &HeaderMap) -> Weights {
        let (mut gzip, mut brotli, mut identity, mut others) = (None, None, None, None);
        let values = headers.get_all(header::ACCEPT_ENCODING).into_iter();
        let items = values
            .filter_map(|value| value.to_str().ok())
            .flat_map(|value| value.split(','));
        for item in items {
            let (name, parameter) = item.split_once(';').unwrap_or((item, ""));
            let weight = weight(parameter);
            match name.trim().to_ascii_lowercase().as_str() {
                "gzip" | "x-gzip" => gzip = Some(weight),
                "br" => brotli = Some(weight),
                "identity" => identity = Some(weight),
                "*" => others = Some(weight),
                _ => {}
            }
        }
        Weights {
            gzip: gzip.or(others).unwrap_or(0),
            brotli: brotli.or(others).unwrap_or(0),
            identity,
        }
    }
}

/// Returns a weight (`q=0.5`) in thousandths; 0 if it does not parse.
fn weight(parameter: &str) -> u16 {
    let parameter = parameter.trim();
    if parameter.is_empty() {
        return 1_000;
    }
    let value = parameter
        .strip_prefix("q=")
        .or_else(|| parameter.strip_prefix("Q="));
    let value = value.and_then(|value| value.trim().parse::<f32>().ok());
    let value = value.filter(|value| (0.0..=1.0).contains(value));
    #[allow(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "it is 0 to 1000"
    )]
    value.map_or(0, |value| (value * 1_000.0).round() as u16)
}

/// Named content in every coding.
#[derive(Debug)]
pub(crate) struct Resource {
    content_type: HeaderValue,
    /// The entity tag of the plain content.
    tag: HeaderValue,
    plain: Bytes,
    is_compressible: bool,
    brotli: OnceCell<Bytes>,
    gzip: OnceCell<Bytes>,
}

impl Resource {
    /// Creates a resource. Its media type follows from the extension of `name`.
    ///
    /// # Panics
    /// Never: tags and media types are plain ASCII.
    pub(crate) fn new(name: &str, content: impl Into<Cow<'static, [u8]>>) -> Resource {
        let content = content.into();
        let kind = mime_guess::from_path(name)
            .first_raw()
            .unwrap_or("application/octet-stream");
        let kind = if kind.starts_with("text/") {
            format!("{kind}; charset=utf-8")
        } else {
            kind.to_owned()
        };
        let tag = format!("\"{}\"", short(&Sha256::digest(&content)));
        let plain = match content {
            Cow::Borrowed(content) => Bytes::from_static(content),
            Cow::Owned(content) => content.into(),
        };
        let built = BUILT_BY_NAME
            .get(name)
            .filter(|built| built.1.1 == plain.len() && built.1 == pack::fingerprint(&plain));
        let built = |of: fn(&Built) -> &'static [u8]| {
            OnceCell::new_with(built.map(|built| Bytes::from_static(of(built))))
        };
        Resource {
            content_type: HeaderValue::from_str(&kind).expect("a media type"),
            tag: HeaderValue::from_str(&tag).expect("base64 in quotes"),
            is_compressible: pack::is_compressible(name, plain.len()),
            brotli: built(|built| built.2),
            gzip: built(|built| built.3),
            plain,
        }
    }

    /// Returns the entity tag of the plain content.
    pub(crate) fn tag(&self) -> &HeaderValue {
        &self.tag
    }

    /// Returns the greatest number of bytes that a response sends.
    pub(crate) fn size(&self) -> usize {
        self.plain.len()
    }

    /// Returns the content in the client's preferred coding, or 304 if the client has it already. With a status other than 200 the content
    /// is always sent.
    ///
    /// # Errors
    /// [`CompressionFailed`].
    pub(crate) async fn respond(
        self: &Arc<Self>,
        status: StatusCode,
        request: &HeaderMap,
    ) -> Result<Response, CompressionFailed> {
        let coding = if self.is_compressible {
            Coding::accepted(request)
        } else {
            Coding::Identity
        };
        let mut headers = HeaderMap::new();
        // The address alone does not tell the version; the response to a revalidation is mostly 304.
        headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-cache"));
        headers.insert(header::CONTENT_TYPE, self.content_type.clone());
        if self.is_compressible {
            let by_coding = HeaderValue::from_static("accept-encoding");
            headers.insert(header::VARY, by_coding);
        }
        headers.insert(header::ETAG, tag_in(coding, &self.tag));
        if status == StatusCode::OK && matches_tag(request, &self.tag) {
            return Ok((StatusCode::NOT_MODIFIED, headers).into_response());
        }
        let content = match coding {
            Coding::Identity => self.plain.clone(),
            Coding::Gzip | Coding::Brotli => self.packed(coding).await?,
        };
        if let Some(name) = coding.name() {
            headers.insert(header::CONTENT_ENCODING, name);
        }
        Ok((status, headers, content).into_response())
    }

    /// Returns the content in a coding. The first request waits for the compression.
    async fn packed(self: &Arc<Self>, coding: Coding) -> Result<Bytes, CompressionFailed> {
        if let Some(packed) = self.cell(coding).and_then(OnceCell::get) {
            return Ok(packed.clone());
        }
        let resource = Arc::clone(self);
        // This runs in a task of its own, so that the work survives when the client disconnects.
        let packing = tokio::spawn(async move { resource.pack(coding).await });
        packing.await.map_err(|_| CompressionFailed)?
    }

    async fn pack(self: Arc<Self>, coding: Coding) -> Result<Bytes, CompressionFailed> {
        let Some(cell) = self.cell(coding) else {
            return Ok(self.plain.clone());
        };
        let packed = cell.get_or_try_init(|| async {
            let _running = COMPRESSION.acquire().await.map_err(|_| CompressionFailed)?;
            let plain = self.plain.clone();
            let packing = tokio::task::spawn_blocking(move || match coding {
                Coding::Identity => plain,
                Coding::Gzip => pack::gzip(&plain, EFFORT).into(),
                Coding::Brotli => pack::brotli(&plain, EFFORT).into(),
            });
            packing.await.map_err(|_| CompressionFailed)
        });
        packed.await.cloned()
    }

    fn cell(&self, coding: Coding) -> Option<&OnceCell<Bytes>> {
        match coding {
            Coding::Identity => None,
            Coding::Gzip => Some(&self.gzip),
            Coding::Brotli => Some(&self.brotli),
        }
    }
}

/// Returns the start of a SHA-256 digest in Base64, long enough to be unique.
pub(crate) fn short(digest: &[u8]) -> String {
    BASE64_URL_SAFE_NO_PAD.encode(&digest[..12])
}

/// Returns the tag of content in a coding: weak if compressed, since a strong tag identifies the exact bytes (RFC 9110, 8.8.3.3).
///
/// # Panics
/// Never: a tag with `W/` before it is a valid header value.
pub(crate) fn tag_in(coding: Coding, tag: &HeaderValue) -> HeaderValue {
    match coding {
        Coding::Identity => tag.clone(),
        Coding::Gzip | Coding::Brotli if tag.as_bytes().starts_with(b"W/") => tag.clone(),
        Coding::Gzip | Coding::Brotli => {
            let weak = [b"W/", tag.as_bytes()].concat();
            HeaderValue::from_bytes(&weak).expect("it was a header's value")
        }
    }
}

/// Returns whether the client has the content of this tag, in any coding.
pub(crate) fn matches_tag(headers: &HeaderMap, tag: &HeaderValue) -> bool {
    let mut values = headers.get_all(header::IF_NONE_MATCH).into_iter();
    values.any(|value| {
        let value = value.to_str().unwrap_or_default();
        let mut known = value.split(',').map(str::trim);
        known.any(|one| one == "*" || one.trim_start_matches("W/").as_bytes() == tag.as_bytes())
    })
}

#[cfg(test)]
mod tests {
    use std::io::Read;
    use std::time::Duration;

    use super::*;
    use crate::page::comments;

    #[test]
    fn the_best_coding_is_chosen_by_weight_and_then_by_size() {
        use Coding::{Brotli, Gzip, Identity};
        for (accepted, expected) in [
            ("", Identity),
            ("gzip, deflate, br, zstd", Brotli),
            ("gzip;q=0.5,BR;q=0.9", Brotli),
            ("gzip;q=0.9, br;q=0.5", Gzip),
            ("br;q=0, gzip", Gzip),
            ("br; q=0.000, *", Gzip),
            ("*", Brotli),
            ("*;q=0", Identity),
            ("x-gzip", Gzip),
            ("deflate", Identity),
            ("identity, gzip;q=0.5", Identity),
            ("identity;q=0.5, gzip;q=0.5", Gzip),
            ("identity;q=0", Identity),
            ("br;q=high, gzip;q=2", Identity),
            ("br;q=nan", Identity),
        ] {
            let mut headers = HeaderMap::new();
            headers.insert(header::ACCEPT_ENCODING, accepted.parse().expect("a header"));
            assert_eq!(Coding::accepted(&headers), expected, "{accepted:?}");
        }
        assert_eq!(Coding::accepted(&HeaderMap::new()), Identity);
        // Two headers form one list.
        let mut headers = HeaderMap::new();
        headers.append(header::ACCEPT_ENCODING, HeaderValue::from_static("gzip"));
        headers.append(header::ACCEPT_ENCODING, HeaderValue::from_static("br"));
        assert_eq!(Coding::accepted(&headers), Brotli);
    }

    #[test]
    fn a_tag_is_known_in_every_coding() {
        let tag = HeaderValue::from_static("\"abc\"");
        for (known, expected) in [
            ("\"abc\"", true),
            ("W/\"abc\"", true),
            ("\"x\", W/\"abc\"", true),
            ("*", true),
            ("\"abcd\"", false),
            ("abc", false),
        ] {
            let mut headers = HeaderMap::new();
            headers.insert(header::IF_NONE_MATCH, known.parse().expect("a header"));
            assert_eq!(matches_tag(&headers, &tag), expected, "{known}");
        }
        assert_eq!(tag_in(Coding::Identity, &tag), "\"abc\"");
        let weak = tag_in(Coding::Gzip, &tag);
        assert_eq!(weak, "W/\"abc\"");
        assert_eq!(tag_in(Coding::Brotli, &weak), "W/\"abc\"");
    }

    #[test]
    fn what_the_build_compressed_unpacks_to_what_it_was() {
        assert!(BUILT.len() > 80, "{}", BUILT.len());
        assert!(BUILT_BY_NAME.contains_key("wasm/engine_bg.wasm"));
        for (name, fingerprint, brotli, gzip) in BUILT {
            let mut unpacked = Vec::new();
            brotli::BrotliDecompress(&mut &brotli[..], &mut unpacked).expect("Brotli");
            assert_eq!(pack::fingerprint(&unpacked), *fingerprint, "{name}");
            let mut again = Vec::new();
            let mut decoder = flate2::read::GzDecoder::new(*gzip);
            decoder.read_to_end(&mut again).expect("gzip");
            assert!(again == unpacked, "{name}");
        }
    }

    #[tokio::test]
    async fn content_is_compressed_once_and_not_again_for_a_client_that_left() {
        let resource = Arc::new(Resource::new("a.txt", b"stones ".repeat(1_000)));
        let packed = resource.packed(Coding::Gzip).await.expect("it is packed");
        let again = resource.packed(Coding::Gzip).await.expect("it is packed");
        assert_eq!(packed.as_ptr(), again.as_ptr(), "the same bytes");
        assert!(packed.len() < 200);
        // A client disconnects while its request waits for another compression; the content is compressed all the same.
        let running = COMPRESSION.acquire().await.expect("it is never closed");
        let asking = resource.packed(Coding::Brotli);
        let left = tokio::time::timeout(Duration::ZERO, asking).await;
        assert!(left.is_err());
        assert!(resource.brotli.get().is_none());
        drop(running);
        while resource.brotli.get().is_none() {
            tokio::task::yield_now().await;
        }
    }

    #[test]
    fn a_file_that_the_build_knows_is_not_compressed_again() {
        let (name, ..) = BUILT[0];
        let path = format!("{}/../static/{name}", env!("CARGO_MANIFEST_DIR"));
        let content = std::fs::read(path).expect("it is in the repository");
        let content = comments::remove(name, content.into()).into_owned();
        let changed = [&content[..], b" "].concat();
        assert!(Resource::new(name, changed).brotli.get().is_none());
        // The build's result is used unless the file has changed since.
        let is_same = pack::fingerprint(&content) == BUILT[0].1;
        let resource = Resource::new(name, content);
        assert_eq!(resource.brotli.get().is_some(), is_same);
        assert_eq!(resource.gzip.get().is_some(), is_same);
    }
}
