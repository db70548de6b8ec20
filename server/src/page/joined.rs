//! Documents with a start of their own for each response and a rest that many share: the rest is compressed once, the start for each
//! response, and both are joined without touching the compressed rest.
//!
//! In gzip that works because a flushed DEFLATE stream ends on a byte and refers to nothing before its own beginning (RFC 1951, 3.2.4). In
//! Brotli the encoder makes the two parts so that their bytes can follow each other (its parameters `appendable` and `catable`): the rest
//! then uses neither the static dictionary nor the contexts and distances of the bytes before it.

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

/// The effort for the rest; see [`crate::page::precompressed`].
const REST: Effort = Effort { brotli: 9, gzip: 6 };

/// The effort for a start of a few kilobytes.
const START: Effort = Effort { brotli: 5, gzip: 4 };

#[derive(Debug, Clone, Copy)]
struct Effort {
    brotli: i32,
    gzip: u32,
}

/// The window of Brotli as a power of two, the same for both parts: larger than any document.
const WINDOW: i32 = 18;

/// The last, empty meta-block of a Brotli stream.
const BROTLI_END: u8 = 0x03;

/// The header of a gzip file: DEFLATE, no name, no time, any system.
const GZIP_HEADER: [u8; 10] = [0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 0xff];

/// The shared rest of documents, in every coding.
#[derive(Debug)]
pub(crate) struct Rest {
    plain: Bytes,
    digest: [u8; 32],
    checksum: Crc,
    brotli: OnceCell<Bytes>,
    deflate: OnceCell<Bytes>,
}

impl Rest {
    pub(crate) fn new(plain: String) -> Rest {
        let plain = Bytes::from(plain);
        let mut checksum = Crc::new();
        checksum.update(&plain);
        Rest {
            digest: Sha256::digest(&plain).into(),
            checksum,
            brotli: OnceCell::new(),
            deflate: OnceCell::new(),
            plain,
        }
    }

    /// Responds with a start and this rest as one HTML document in the client's preferred coding, or with 304 if the client has it
    /// already. With a status other than 200 the content is always sent.
    ///
    /// # Errors
    /// [`CompressionFailed`].
    pub(crate) async fn respond_after(
        self: &Arc<Self>,
        start: &str,
        status: StatusCode,
        request: &HeaderMap,
    ) -> Result<Response, CompressionFailed> {
        let mut digest = Sha256::new();
        digest.update(start);
        digest.update(self.digest);
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
        let start = start.as_bytes();
        let content = match coding {
            Coding::Identity => [start, &self.plain].concat(),
            Coding::Gzip => {
                let rest = self.packed(coding).await?;
                let mut checksum = Crc::new();
                checksum.update(start);
                checksum.combine(&self.checksum);
                let start = flushed(start, START.gzip);
                let (sum, length) = (
                    checksum.sum().to_le_bytes(),
                    checksum.amount().to_le_bytes(),
                );
                [&GZIP_HEADER[..], &start, &rest, &sum, &length].concat()
            }
            Coding::Brotli => {
                let rest = self.packed(coding).await?;
                [&brotli(start, Part::Start)[..], &rest, &[BROTLI_END]].concat()
            }
        };
        if let Some(name) = coding.name() {
            headers.insert(header::CONTENT_ENCODING, name);
        }
        Ok((status, headers, content).into_response())
    }

    /// Returns the rest in a coding. The first request waits for the compression.
    async fn packed(self: &Arc<Self>, coding: Coding) -> Result<Bytes, CompressionFailed> {
        let cell = match coding {
            Coding::Identity => return Ok(self.plain.clone()),
            Coding::Gzip => &self.deflate,
            Coding::Brotli => &self.brotli,
        };
        if let Some(packed) = cell.get() {
            return Ok(packed.clone());
        }
        let rest = Arc::clone(self);
        // This runs in a task of its own, so that the work survives when the client disconnects.
        let packing = tokio::spawn(async move { rest.pack(coding).await });
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
            let packing = tokio::task::spawn_blocking(move || match coding {
                Coding::Identity => plain,
                Coding::Gzip => finished(&plain, REST.gzip).into(),
                Coding::Brotli => brotli(&plain, Part::Rest).into(),
            });
            packing.await.map_err(|_| CompressionFailed)
        });
        packed.await.cloned()
    }
}

/// The part of a Brotli stream.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Part {
    Start,
    Rest,
}

/// Compresses a part with Brotli, without the end of the stream.
fn brotli(mut content: &[u8], part: Part) -> Vec<u8> {
    let params = BrotliEncoderParams {
        quality: match part {
            Part::Start => START.brotli,
            Part::Rest => REST.brotli,
        },
        lgwin: WINDOW,
        size_hint: content.len(),
        appendable: true,
        catable: part == Part::Rest,
        use_dictionary: part == Part::Start,
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

    async fn body(rest: &Arc<Rest>, start: &str, coding: &'static str) -> Vec<u8> {
        let mut request = HeaderMap::new();
        request.insert(header::ACCEPT_ENCODING, HeaderValue::from_static(coding));
        let response = rest.respond_after(start, StatusCode::OK, &request).await;
        let body = response.expect("a response").into_body();
        let body = axum::body::to_bytes(body, usize::MAX).await;
        body.expect("it is in memory").to_vec()
    }

    #[tokio::test]
    async fn a_start_and_a_rest_become_one_document_in_every_coding() {
        let text = "<p>The stones of the river, and the seeds of the tree: a game of both.</p>\n";
        let many: String = (0..900).map(|n| format!("{n} {text}")).collect();
        for rest in [String::new(), "x".to_owned(), text.to_owned(), many] {
            let shared = Arc::new(Rest::new(rest.clone()));
            for start in [
                "",
                "y",
                "<!doctype html><title>Amina – Żółw</title>",
                &text.repeat(40),
            ] {
                let whole = format!("{start}{rest}").into_bytes();
                assert!(body(&shared, start, "identity").await == whole);
                let mut unpacked = Vec::new();
                let packed = body(&shared, start, "br").await;
                brotli::BrotliDecompress(&mut packed.as_slice(), &mut unpacked).expect("Brotli");
                assert!(unpacked == whole, "{start}");
                let packed = body(&shared, start, "gzip").await;
                let mut decoder = flate2::read::GzDecoder::new(packed.as_slice());
                let mut unpacked = Vec::new();
                decoder.read_to_end(&mut unpacked).expect("gzip");
                assert!(unpacked == whole, "{start}");
            }
        }
    }

    #[tokio::test]
    async fn another_start_is_another_version() {
        let rest = Arc::new(Rest::new("rest".to_owned()));
        let mut tags = Vec::new();
        for start in ["a", "b", "a"] {
            let response = rest
                .respond_after(start, StatusCode::OK, &HeaderMap::new())
                .await;
            tags.push(response.expect("a response").headers()[header::ETAG].clone());
        }
        assert_eq!(tags[0], tags[2]);
        assert_ne!(tags[0], tags[1]);
        let request = HeaderMap::from_iter([(header::IF_NONE_MATCH, tags[0].clone())]);
        for (status, expected) in [
            (StatusCode::OK, StatusCode::NOT_MODIFIED),
            (StatusCode::NOT_FOUND, StatusCode::NOT_FOUND),
        ] {
            let response = rest.respond_after("a", status, &request).await;
            assert_eq!(response.expect("a response").status(), expected);
        }
    }
}
