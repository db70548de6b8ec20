//! Documents with parts of their own for each response between parts that many share: a shared part is compressed once, the others for each
//! response, and all are joined without touching the compressed ones.
//!
//! In gzip that works because a flushed DEFLATE stream ends on a byte and refers to nothing before its own beginning (RFC 1951, 3.2.4). In
//! Brotli the encoder makes the parts so that their bytes can follow each other (its parameters `appendable` and `catable`): each part but
//! the first then uses neither the static dictionary nor the contexts and distances of the bytes before it.

use std::io::Write;
use std::sync::Arc;

use axum::body::Bytes;
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use brotli::enc::BrotliEncoderParams;
use flate2::write::DeflateEncoder;
use flate2::{Compression, Crc};
use sha2::{Digest, Sha256};
use tokio::sync::OnceCell;

use crate::page::precompressed::{
    COMPRESSION, Coding, CompressionFailed, matches_tag, short, tag_in,
};

/// The effort for a shared part; see [`crate::page::precompressed`].
const SHARED: Effort = Effort { brotli: 9, gzip: 6 };

/// The effort for a response's own part of a few kilobytes.
const OWN: Effort = Effort { brotli: 5, gzip: 4 };

#[derive(Debug, Clone, Copy)]
struct Effort {
    brotli: i32,
    gzip: u32,
}

/// The window of Brotli as a power of two, the same for all parts: larger than any document.
const WINDOW: i32 = 18;

/// The last, empty meta-block of a Brotli stream.
const BROTLI_END: u8 = 0x03;

/// The header of a gzip file: DEFLATE, no name, no time, any system.
const GZIP_HEADER: [u8; 10] = [0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 0xff];

/// The shared parts of documents. Each response has a part of its own before each of them.
#[derive(Debug)]
pub(crate) struct Shared {
    parts: Vec<Arc<Part>>,
}

/// A shared part, in every coding.
#[derive(Debug)]
struct Part {
    plain: Bytes,
    /// Whether the document ends with it.
    is_last: bool,
    digest: [u8; 32],
    checksum: Crc,
    brotli: OnceCell<Bytes>,
    deflate: OnceCell<Bytes>,
}

impl Shared {
    pub(crate) fn new(plain: Vec<String>) -> Shared {
        let last = plain.len().saturating_sub(1);
        let parts = plain.into_iter().enumerate();
        let parts = parts.map(|(index, plain)| Arc::new(Part::new(plain, index == last)));
        Shared {
            parts: parts.collect(),
        }
    }

    /// Responds with one HTML document of the response's own parts, one before each shared part, in the client's preferred coding, or with
    /// 304 if the client has it already. With a status other than 200 the content is always sent.
    ///
    /// # Errors
    /// [`CompressionFailed`].
    pub(crate) async fn respond_with(
        &self,
        own: &[String],
        status: StatusCode,
        request: &HeaderMap,
    ) -> Result<Response, CompressionFailed> {
        debug_assert_eq!(own.len(), self.parts.len(), "one before each shared part");
        let parts = || own.iter().map(String::as_bytes).zip(&self.parts);
        let mut digest = Sha256::new();
        for (own, shared) in parts() {
            digest.update(own);
            digest.update(shared.digest);
        }
        let tag = HeaderValue::from_str(&format!("\"{}\"", short(&digest.finalize())));
        let tag = tag.map_err(|_| CompressionFailed)?;
        let coding = Coding::accepted(request);
        let mut headers = HeaderMap::new();
        headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-cache"));
        let kind = HeaderValue::from_static("text/html; charset=utf-8");
        headers.insert(header::CONTENT_TYPE, kind);
        let by_coding = HeaderValue::from_static("accept-encoding");
        headers.insert(header::VARY, by_coding);
        headers.insert(header::ETAG, tag_in(coding, &tag));
        if status == StatusCode::OK && matches_tag(request, &tag) {
            return Ok((StatusCode::NOT_MODIFIED, headers).into_response());
        }
        let mut content = Vec::new();
        if coding == Coding::Gzip {
            content.extend(GZIP_HEADER);
        }
        let mut checksum = Crc::new();
        for (index, (own, shared)) in parts().enumerate() {
            match coding {
                Coding::Identity => content.extend(own),
                Coding::Gzip => {
                    let mut sum = Crc::new();
                    sum.update(own);
                    checksum.combine(&sum);
                    checksum.combine(&shared.checksum);
                    content.extend(flushed(own, OWN.gzip));
                }
                Coding::Brotli => content.extend(brotli(own, OWN.brotli, index == 0)),
            }
            content.extend(&shared.packed(coding).await?);
        }
        match coding {
            Coding::Identity => {}
            Coding::Gzip => {
                content.extend(checksum.sum().to_le_bytes());
                content.extend(checksum.amount().to_le_bytes());
            }
            Coding::Brotli => content.push(BROTLI_END),
        }
        if let Some(name) = coding.name() {
            headers.insert(header::CONTENT_ENCODING, name);
        }
        Ok((status, headers, content).into_response())
    }
}

impl Part {
    fn new(plain: String, is_last: bool) -> Part {
        let plain = Bytes::from(plain);
        let mut checksum = Crc::new();
        checksum.update(&plain);
        Part {
            digest: Sha256::digest(&plain).into(),
            is_last,
            checksum,
            brotli: OnceCell::new(),
            deflate: OnceCell::new(),
            plain,
        }
    }

    /// Returns the part in a coding. The first request waits for the compression.
    async fn packed(self: &Arc<Self>, coding: Coding) -> Result<Bytes, CompressionFailed> {
        let cell = match coding {
            Coding::Identity => return Ok(self.plain.clone()),
            Coding::Gzip => &self.deflate,
            Coding::Brotli => &self.brotli,
        };
        if let Some(packed) = cell.get() {
            return Ok(packed.clone());
        }
        let part = Arc::clone(self);
        // This runs in a task of its own, so that the work survives when the client disconnects.
        let packing = tokio::spawn(async move { part.pack(coding).await });
        packing.await.map_err(|_| CompressionFailed)?
    }

    async fn pack(&self, coding: Coding) -> Result<Bytes, CompressionFailed> {
        let cell = match coding {
            Coding::Identity => return Ok(self.plain.clone()),
            Coding::Gzip => &self.deflate,
            Coding::Brotli => &self.brotli,
        };
        let packed = cell.get_or_try_init(|| async {
            let _running = COMPRESSION.acquire().await.map_err(|_| CompressionFailed)?;
            let plain = self.plain.clone();
            let is_last = self.is_last;
            let packing = tokio::task::spawn_blocking(move || match coding {
                Coding::Identity => plain,
                Coding::Gzip if is_last => finished(&plain, SHARED.gzip).into(),
                Coding::Gzip => flushed(&plain, SHARED.gzip).into(),
                Coding::Brotli => brotli(&plain, SHARED.brotli, false).into(),
            });
            packing.await.map_err(|_| CompressionFailed)
        });
        packed.await.cloned()
    }
}

/// Compresses a part with Brotli, without the end of the stream; only the first part of a document may refer to the static dictionary.
fn brotli(mut content: &[u8], quality: i32, is_first: bool) -> Vec<u8> {
    let params = BrotliEncoderParams {
        quality,
        lgwin: WINDOW,
        size_hint: content.len(),
        appendable: true,
        catable: !is_first,
        use_dictionary: is_first,
        bare_stream: true,
        byte_align: true,
        ..BrotliEncoderParams::default()
    };
    let mut packed = Vec::new();
    brotli::BrotliCompress(&mut content, &mut packed, &params)
        .expect("memory takes what is written to it");
    packed
}

/// Compresses with DEFLATE up to a byte, so that more can follow.
fn flushed(content: &[u8], effort: u32) -> Vec<u8> {
    let mut encoder = DeflateEncoder::new(Vec::new(), Compression::new(effort));
    let written = encoder.write_all(content).and_then(|()| encoder.flush());
    written.expect("memory takes what is written to it");
    // Finishing would end the stream; all of it is here after the flush.
    std::mem::take(encoder.get_mut())
}

/// Compresses with DEFLATE to the end of the stream.
fn finished(content: &[u8], effort: u32) -> Vec<u8> {
    let mut encoder = DeflateEncoder::new(Vec::new(), Compression::new(effort));
    let packed = encoder.write_all(content).and_then(|()| encoder.finish());
    packed.expect("memory takes what is written to it")
}

#[cfg(test)]
mod tests {
    use std::io::Read;

    use super::*;

    async fn body(shared: &Shared, own: &[String], coding: &'static str) -> Vec<u8> {
        let mut request = HeaderMap::new();
        request.insert(header::ACCEPT_ENCODING, HeaderValue::from_static(coding));
        let response = shared.respond_with(own, StatusCode::OK, &request).await;
        let body = response.expect("a response").into_body();
        let body = axum::body::to_bytes(body, usize::MAX).await;
        body.expect("it is in memory").to_vec()
    }

    async fn check(shared: &[&str], own: &[&str]) {
        let [shared, own] = [shared, own].map(|parts| {
            let parts = parts.iter().map(|part| (*part).to_owned());
            parts.collect::<Vec<_>>()
        });
        let whole = own
            .iter()
            .zip(&shared)
            .flat_map(|(own, shared)| [own, shared]);
        let whole = whole.cloned().collect::<String>().into_bytes();
        let shared = Shared::new(shared);
        assert!(body(&shared, &own, "identity").await == whole);
        let mut unpacked = Vec::new();
        let packed = body(&shared, &own, "br").await;
        brotli::BrotliDecompress(&mut packed.as_slice(), &mut unpacked).expect("Brotli");
        assert!(unpacked == whole, "{own:?}");
        let packed = body(&shared, &own, "gzip").await;
        let mut decoder = flate2::read::GzDecoder::new(packed.as_slice());
        let mut unpacked = Vec::new();
        decoder.read_to_end(&mut unpacked).expect("gzip");
        assert!(unpacked == whole, "{own:?}");
    }

    #[tokio::test]
    async fn the_parts_become_one_document_in_every_coding() {
        let text = "<p>The stones of the river, and the seeds of the tree: a game of both.</p>\n";
        let many: String = (0..900).map(|n| format!("{n} {text}")).collect();
        let head = "<!doctype html><title>Amina – Żółw</title>";
        let long = text.repeat(40);
        for first in ["", "x", text, &many] {
            for own in ["", "y", head, &long] {
                check(&[first], &[own]).await;
                for (second, last) in [("", text), ("<h1>Żółw</h1>", "")] {
                    check(&[first, last], &[own, second]).await;
                }
            }
        }
    }

    #[tokio::test]
    async fn another_part_of_its_own_is_another_version() {
        let shared = Shared::new(vec!["between".to_owned(), "rest".to_owned()]);
        let own = |first: &str, second: &str| [first.to_owned(), second.to_owned()];
        let mut tags = Vec::new();
        for own in [own("a", "b"), own("a", "c"), own("c", "b"), own("a", "b")] {
            let response = shared
                .respond_with(&own, StatusCode::OK, &HeaderMap::new())
                .await;
            tags.push(response.expect("a response").headers()[header::ETAG].clone());
        }
        assert_eq!(tags[0], tags[3]);
        assert!(tags[0] != tags[1] && tags[0] != tags[2] && tags[1] != tags[2]);
        let request = HeaderMap::from_iter([(header::IF_NONE_MATCH, tags[0].clone())]);
        for (status, expected) in [
            (StatusCode::OK, StatusCode::NOT_MODIFIED),
            (StatusCode::NOT_FOUND, StatusCode::NOT_FOUND),
        ] {
            let response = shared.respond_with(&own("a", "b"), status, &request).await;
            assert_eq!(response.expect("a response").status(), expected);
        }
    }
}
