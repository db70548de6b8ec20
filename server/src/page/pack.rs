//! Brotli and gzip of whole contents. The build script (`server/build.rs`) includes this file, so it uses nothing of the crate.

use std::io::Write;

use brotli::enc::BrotliEncoderParams;
use flate2::write::GzEncoder;
use flate2::{Compression, Crc};

/// The extensions of compressible files. Pictures and fonts are compressed already.
const COMPRESSIBLE: [&str; 8] = [
    "css",
    "html",
    "js",
    "json",
    "svg",
    "txt",
    "wasm",
    "webmanifest",
];

/// Below this size the headers outweigh the gain.
const MIN_BYTES: usize = 512;

/// The effort of compression: 0 to 11 for Brotli, 0 to 9 for gzip.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Effort {
    pub(crate) brotli: i32,
    pub(crate) gzip: u32,
}

/// Returns whether a file of this name and size is served compressed.
pub(crate) fn is_compressible(path: &str, size: usize) -> bool {
    let extension = path.rsplit('.').next().unwrap_or_default();
    size >= MIN_BYTES && COMPRESSIBLE.contains(&extension)
}

/// Compresses with Brotli.
///
/// # Panics
/// Never: writing to memory does not fail.
pub(crate) fn brotli(mut content: &[u8], effort: Effort) -> Vec<u8> {
    let params = BrotliEncoderParams {
        quality: effort.brotli,
        size_hint: content.len(),
        ..BrotliEncoderParams::default()
    };
    let mut packed = Vec::new();
    brotli::BrotliCompress(&mut content, &mut packed, &params)
        .expect("memory takes what is written to it");
    packed
}

/// Compresses with gzip.
///
/// # Panics
/// Never: writing to memory does not fail.
pub(crate) fn gzip(content: &[u8], effort: Effort) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::new(effort.gzip));
    let packed = encoder.write_all(content).and_then(|()| encoder.finish());
    packed.expect("memory takes what is written to it")
}

/// Returns a checksum and the length of a content: enough to tell versions of a file apart, but no protection against forgery.
pub(crate) fn fingerprint(content: &[u8]) -> (u32, usize) {
    let mut crc = Crc::new();
    crc.update(content);
    (crc.sum(), content.len())
}
