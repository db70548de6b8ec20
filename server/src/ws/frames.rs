//! The stream below the WebSocket library: counts every frame and byte of the client before the library reads them.
//!
//! The library answers pings, drops pongs and joins fragments without reporting them to its caller, so only a counter below it sees a
//! flood of them. This stream reads the heads of frames; the library validates everything else about them. It also checks text for
//! UTF-8 as it arrives (RFC 6455, section 8.1), because the library checks whole frames only.

use std::io;
use std::num::NonZeroU32;
use std::pin::Pin;
use std::task::{Context, Poll, ready};
use std::time::{Duration, Instant};

use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, ReadBuf};
use tokio::time::Sleep;
use tokio_tungstenite::tungstenite::protocol::frame::coding::CloseCode;

use super::bucket::Bucket;
use crate::limits::MESSAGES_PER_SECOND;

/// The rate of frames of any kind at the usual rate of messages, as are the three limits below: twice the number of messages, since a proxy
/// may cut each in two.
const FRAMES_PER_SECOND: f64 = 30.0;

/// The burst of frames: a message in [`MAX_FRAGMENTS`] fragments, and pings between them.
const FRAMES_AT_ONCE: f64 = 160.0;

/// The rate of bytes: fifteen messages of the greatest length.
const BYTES_PER_SECOND: f64 = 64.0 * 1024.0;

/// The burst of bytes: forty messages of the greatest length, and their heads.
const BYTES_AT_ONCE: f64 = 256.0 * 1024.0;

/// The number of times that a socket over its budget has to wait; the next time it is closed.
const STRIKES: u32 = 8;

/// The most fragments of one message. An honest client sends one; a library that writes octet by octet sends some dozens.
const MAX_FRAGMENTS: u32 = 128;

/// The longest head of a frame: two bytes, the length in eight, the mask in four.
const MAX_HEAD_BYTES: usize = 14;

/// The number of bytes of text that are unmasked and checked at a time.
const PIECE_BYTES: usize = 256;

/// The longest incomplete character at the end of a piece.
const MAX_PART_BYTES: usize = 3;

/// The opcodes of RFC 6455 that the counter distinguishes.
const CONTINUATION: u8 = 0;
const TEXT: u8 = 1;
const FIRST_CONTROL: u8 = 8;

/// The reason why reading from a socket has ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub(super) enum Fault {
    /// Too many frames or bytes in their time.
    #[error("frames come too fast")]
    TooFast,
    /// One message in too many fragments.
    #[error("a message has too many fragments")]
    TooManyFragments,
    /// A text message that is not UTF-8.
    #[error("text is not UTF-8")]
    NotUtf8,
}

impl Fault {
    /// Returns the code and the reason of the close frame.
    pub(super) fn closing(self) -> (CloseCode, &'static str) {
        match self {
            Fault::TooFast => (CloseCode::Policy, "frames come too fast"),
            Fault::TooManyFragments => (CloseCode::Policy, "too many fragments"),
            Fault::NotUtf8 => (CloseCode::Invalid, "text is not UTF-8"),
        }
    }
}

/// A stream that counts its incoming frames.
#[derive(Debug)]
pub(super) struct CountedStream<T> {
    inner: T,
    counter: FrameCounter,
    /// Bytes read beyond the budget, which are passed on after the pause.
    held: Vec<u8>,
    pause: Option<Pin<Box<Sleep>>>,
    fault: Option<Fault>,
}

impl<T> CountedStream<T> {
    /// Creates the stream of a socket that may send this many messages in a second.
    pub(super) fn new(inner: T, messages_per_second: NonZeroU32) -> CountedStream<T> {
        CountedStream {
            inner,
            counter: FrameCounter::new(messages_per_second, Instant::now()),
            held: Vec::new(),
            pause: None,
            fault: None,
        }
    }

    /// Returns the fault of the client that ended reading, if one did.
    pub(super) fn fault(&self) -> Option<Fault> {
        self.fault
    }
}

impl<T: AsyncRead + Unpin> CountedStream<T> {
    /// Reads to the end, or at most `most` bytes, and drops them uncounted.
    pub(super) async fn discard(&mut self, most: u64) {
        // An error ends the stream too.
        let _ = tokio::io::copy(&mut (&mut self.inner).take(most), &mut tokio::io::sink()).await;
    }

    /// Fills `into` from the held bytes, or from the inner stream when there are none.
    fn poll_fill(
        &mut self,
        context: &mut Context<'_>,
        into: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        if self.held.is_empty() {
            return Pin::new(&mut self.inner).poll_read(context, into);
        }
        let bytes = self.held.len().min(into.remaining());
        into.put_slice(&self.held[..bytes]);
        self.held.drain(..bytes);
        // An idle socket must not keep a buffer.
        self.held.shrink_to_fit();
        Poll::Ready(Ok(()))
    }
}

impl<T: AsyncRead + Unpin> AsyncRead for CountedStream<T> {
    fn poll_read(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
        into: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let this = self.get_mut();
        if let Some(fault) = this.fault {
            return Poll::Ready(Err(io::Error::other(fault)));
        }
        if let Some(pause) = &mut this.pause {
            ready!(pause.as_mut().poll(context));
            this.pause = None;
        }
        let start = into.filled().len();
        ready!(this.poll_fill(context, into))?;
        let counted = this.counter.count(&into.filled()[start..], Instant::now());
        let end = start + counted.bytes;
        match counted.outcome {
            Outcome::Goes => {}
            Outcome::Waits(time) => {
                let mut rest = into.filled()[end..].to_vec();
                rest.append(&mut this.held);
                this.held = rest;
                this.pause = Some(Box::pin(tokio::time::sleep(time)));
                into.set_filled(end);
            }
            Outcome::Fails(fault) => {
                this.fault = Some(fault);
                this.held = Vec::new();
                into.set_filled(end);
                // An empty read would mean the end of the stream.
                if counted.bytes == 0 {
                    return Poll::Ready(Err(io::Error::other(fault)));
                }
            }
        }
        Poll::Ready(Ok(()))
    }
}

impl<T: AsyncWrite + Unpin> AsyncWrite for CountedStream<T> {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.inner).poll_write(context, bytes)
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.inner).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.inner).poll_shutdown(context)
    }
}

/// Parses the heads of frames in the input and counts frames and bytes.
#[derive(Debug)]
struct FrameCounter {
    at: Place,
    /// The check of the current text message; `None` while the message is not text.
    text: Option<Utf8>,
    /// The fragments so far of the current message.
    fragments: u32,
    frames: Bucket,
    bytes: Bucket,
    strikes: u32,
}

/// The position of the next byte in a frame.
#[derive(Debug, Clone, Copy)]
enum Place {
    Head {
        bytes: [u8; MAX_HEAD_BYTES],
        have: usize,
    },
    Payload {
        left: u64,
        /// The mask, rotated to the next byte; `None` in a control frame.
        mask: Option<[u8; 4]>,
    },
}

const NEXT_FRAME: Place = Place::Head {
    bytes: [0; MAX_HEAD_BYTES],
    have: 0,
};

/// The number of bytes read that may be passed on now, and the outcome for the rest.
#[derive(Debug, PartialEq, Eq)]
struct Counted {
    bytes: usize,
    outcome: Outcome,
}

#[derive(Debug, PartialEq, Eq)]
enum Outcome {
    Goes,
    Waits(Duration),
    Fails(Fault),
}

impl FrameCounter {
    fn new(messages_per_second: NonZeroU32, at: Instant) -> FrameCounter {
        // A lower rate of messages leaves the limits of frames as they are: one message may have as many fragments as before.
        let usual = f64::from(MESSAGES_PER_SECOND.get());
        let times = (f64::from(messages_per_second.get()) / usual).max(1.0);
        FrameCounter {
            at: NEXT_FRAME,
            text: None,
            fragments: 0,
            frames: Bucket::full(FRAMES_PER_SECOND * times, FRAMES_AT_ONCE * times, at),
            bytes: Bucket::full(BYTES_PER_SECOND * times, BYTES_AT_ONCE * times, at),
            strikes: 0,
        }
    }

    /// Counts the bytes of `read`, up to the first one that must not be passed on yet.
    fn count(&mut self, read: &[u8], at: Instant) -> Counted {
        if self.frames.is_full(at) && self.bytes.is_full(at) {
            self.strikes = 0;
        }
        let mut bytes = 0;
        let mut outcome = Outcome::Goes;
        while bytes < read.len() && outcome == Outcome::Goes {
            let rest = &read[bytes..];
            match self.at {
                Place::Head { .. } => {
                    bytes += 1;
                    outcome = self.head(rest[0], at);
                }
                Place::Payload { left, mask } => {
                    let taken =
                        usize::try_from(left).map_or(rest.len(), |left| left.min(rest.len()));
                    if let (Some(mask), Some(text)) = (mask, &mut self.text)
                        && !text.check(&rest[..taken], mask)
                    {
                        outcome = Outcome::Fails(Fault::NotUtf8);
                        continue;
                    }
                    bytes += taken;
                    self.at = match left - taken as u64 {
                        0 => NEXT_FRAME,
                        left => Place::Payload {
                            left,
                            mask: mask.map(|mut mask| {
                                mask.rotate_left(taken % 4);
                                mask
                            }),
                        },
                    };
                }
            }
        }
        let due = self.bytes.spend(bytes as f64, at);
        if outcome == Outcome::Goes {
            outcome = self.judge(due);
        }
        Counted { bytes, outcome }
    }

    /// Adds one byte of a head; the last one counts the frame.
    fn head(&mut self, byte: u8, at: Instant) -> Outcome {
        let Place::Head { mut bytes, have } = self.at else {
            return Outcome::Goes;
        };
        bytes[have] = byte;
        let have = have + 1;
        self.at = Place::Head { bytes, have };
        if have < 2 {
            return Outcome::Goes;
        }
        let long = match bytes[1] & 0x7f {
            126 => 2,
            127 => 8,
            _ => 0,
        };
        let is_masked = bytes[1] & 0x80 != 0;
        let mask_at = 2 + long;
        if have < mask_at + if is_masked { 4 } else { 0 } {
            return Outcome::Goes;
        }
        let left = match long {
            0 => u64::from(bytes[1] & 0x7f),
            _ => bytes[2..mask_at]
                .iter()
                .fold(0, |length, byte| length << 8 | u64::from(*byte)),
        };
        let mut mask = [0; 4];
        if is_masked {
            mask.copy_from_slice(&bytes[mask_at..have]);
        }
        self.frame(bytes[0], left, mask, at)
    }

    /// Counts a frame whose head is complete.
    fn frame(&mut self, first: u8, left: u64, mask: [u8; 4], at: Instant) -> Outcome {
        let opcode = first & 0x0f;
        if opcode < FIRST_CONTROL {
            if opcode == CONTINUATION {
                self.fragments += 1;
            } else {
                self.fragments = 1;
                self.text = (opcode == TEXT).then(Utf8::default);
            }
            if self.fragments > MAX_FRAGMENTS {
                return Outcome::Fails(Fault::TooManyFragments);
            }
        }
        self.at = match left {
            0 => NEXT_FRAME,
            _ => Place::Payload {
                left,
                mask: (opcode < FIRST_CONTROL).then_some(mask),
            },
        };
        let due = self.frames.spend(1.0, at);
        self.judge(due)
    }

    /// Returns a wait for a socket over its budget, or a failure after too many waits without a full recovery.
    fn judge(&mut self, due: Duration) -> Outcome {
        if due.is_zero() {
            return Outcome::Goes;
        }
        self.strikes += 1;
        if self.strikes > STRIKES {
            Outcome::Fails(Fault::TooFast)
        } else {
            Outcome::Waits(due)
        }
    }
}

/// An incremental check for UTF-8.
#[derive(Debug, Default)]
struct Utf8 {
    /// The incomplete character at the end of the input so far.
    part: [u8; MAX_PART_BYTES],
    part_bytes: usize,
}

impl Utf8 {
    /// Checks the next masked bytes; returns `false` if the text cannot be UTF-8.
    fn check(&mut self, masked: &[u8], mask: [u8; 4]) -> bool {
        // The length of a piece is a multiple of four, so each piece begins with the first byte of the mask.
        masked.chunks(PIECE_BYTES).all(|piece| {
            let mut buffer = [0; MAX_PART_BYTES + PIECE_BYTES];
            buffer[..self.part_bytes].copy_from_slice(&self.part[..self.part_bytes]);
            let end = self.part_bytes + piece.len();
            let unmasked = piece.iter().zip(mask.iter().cycle());
            for (into, (byte, mask)) in buffer[self.part_bytes..end].iter_mut().zip(unmasked) {
                *into = byte ^ mask;
            }
            let invalid = match std::str::from_utf8(&buffer[..end]) {
                Ok(_) => {
                    self.part_bytes = 0;
                    return true;
                }
                Err(error) => error,
            };
            let part = &buffer[invalid.valid_up_to()..end];
            let may_go_on = invalid.error_len().is_none() && part.len() <= MAX_PART_BYTES;
            if may_go_on {
                self.part[..part.len()].copy_from_slice(part);
                self.part_bytes = part.len();
            }
            may_go_on
        })
    }
}

#[cfg(test)]
mod tests {
    use tokio::io::AsyncWriteExt;

    use super::*;

    const MASK: [u8; 4] = [7, 77, 177, 201];

    fn frame(first: u8, payload: &[u8]) -> Vec<u8> {
        let mut frame = vec![first];
        match u16::try_from(payload.len()).expect("short") {
            length @ 0..126 => frame.push(0x80 | length as u8),
            length => {
                frame.push(0x80 | 126);
                frame.extend(length.to_be_bytes());
            }
        }
        frame.extend(MASK);
        frame.extend(payload.iter().zip(MASK.iter().cycle()).map(|(b, m)| b ^ m));
        frame
    }

    /// Counts `read` with a new counter at one moment.
    fn counted(read: &[u8]) -> Counted {
        let at = Instant::now();
        FrameCounter::new(MESSAGES_PER_SECOND, at).count(read, at)
    }

    #[test]
    fn a_low_rate_of_messages_leaves_room_for_the_fragments_of_one() {
        let at = Instant::now();
        let mut counter = FrameCounter::new(NonZeroU32::MIN, at);
        let mut message = frame(0x01, b"{");
        message.extend(frame(0x00, b" ").repeat(MAX_FRAGMENTS as usize - 2));
        message.extend(frame(0x80, b"}"));
        let whole = Counted {
            bytes: message.len(),
            outcome: Outcome::Goes,
        };
        assert_eq!(counter.count(&message, at), whole);
    }

    #[test]
    fn every_kind_of_frame_counts_and_a_flood_of_it_fails() {
        let ping = frame(0x89, b"");
        let pong = frame(0x8a, b"x");
        let text = frame(0x81, b"{}");
        for kind in [&ping, &pong, &text] {
            let at = Instant::now();
            let mut counter = FrameCounter::new(MESSAGES_PER_SECOND, at);
            let burst = kind.repeat(FRAMES_AT_ONCE as usize);
            let all = Counted {
                bytes: burst.len(),
                outcome: Outcome::Goes,
            };
            assert_eq!(counter.count(&burst, at), all);
            // Now each frame has to wait for the time of one frame; after the last strike the socket fails.
            let more = kind.repeat(1_000);
            let mut passed = 0;
            let mut waits = 0;
            let mut at = at;
            loop {
                let counted = counter.count(&more[passed..], at);
                passed += counted.bytes;
                match counted.outcome {
                    Outcome::Goes => panic!("a flood is no budget"),
                    Outcome::Waits(time) => at += time,
                    Outcome::Fails(fault) => {
                        assert_eq!(fault, Fault::TooFast);
                        break;
                    }
                }
                waits += 1;
            }
            assert_eq!(waits, STRIKES);
            assert!(passed <= kind.len() * (STRIKES as usize + 1), "{passed}");
        }
    }

    #[test]
    fn a_socket_that_has_rested_begins_anew() {
        let start = Instant::now();
        let mut counter = FrameCounter::new(MESSAGES_PER_SECOND, start);
        let ping = frame(0x89, b"");
        let over = ping.repeat(FRAMES_AT_ONCE as usize + 1);
        for turn in 0..100 {
            let at = start + Duration::from_secs(60 * turn);
            let outcome = counter.count(&over, at).outcome;
            assert!(matches!(outcome, Outcome::Waits(_)), "{outcome:?}");
        }
    }

    #[test]
    fn a_message_has_so_many_fragments_and_control_frames_between_are_none_of_them() {
        let at = Instant::now();
        let mut counter = FrameCounter::new(MESSAGES_PER_SECOND, at);
        counter.frames = Bucket::full(1.0, 10_000.0, at);
        let mut message = frame(0x01, b"\"");
        for _ in 1..MAX_FRAGMENTS {
            message.extend(frame(0x00, b""));
            message.extend(frame(0x89, b"between"));
        }
        assert_eq!(counter.count(&message, at).outcome, Outcome::Goes);
        let one_more = counter.count(&frame(0x80, b"\""), at).outcome;
        assert_eq!(one_more, Outcome::Fails(Fault::TooManyFragments));
    }

    #[test]
    fn bytes_count_by_themselves() {
        let at = Instant::now();
        let mut counter = FrameCounter::new(MESSAGES_PER_SECOND, at);
        let large = frame(0x82, &[b'x'; 16_000]);
        let passed = (0..1_000)
            .take_while(|_| counter.count(&large, at).outcome == Outcome::Goes)
            .count();
        assert_eq!(passed, BYTES_AT_ONCE as usize / large.len());
    }

    #[test]
    fn text_is_checked_as_it_comes_however_it_is_cut() {
        let words = "κόσμε, Nala·മാവെ 𐍈".as_bytes();
        let cut = |at: usize| {
            let mut cut = frame(0x01, &words[..at]);
            cut.extend(frame(0x89, b"\xff\xff"));
            cut.extend(frame(0x80, &words[at..]));
            cut
        };
        for at in 0..words.len() {
            let whole = cut(at);
            assert_eq!(counted(&whole).outcome, Outcome::Goes, "cut at {at}");
            let start = Instant::now();
            let mut counter = FrameCounter::new(MESSAGES_PER_SECOND, start);
            for byte in &whole {
                let byte = std::slice::from_ref(byte);
                assert_eq!(counter.count(byte, start).outcome, Outcome::Goes);
            }
        }
        // The bytes before the bad one are passed on, and none after it.
        let mut counter = FrameCounter::new(MESSAGES_PER_SECOND, Instant::now());
        let bad = frame(0x81, b"abc\xed\xa0\x80abc");
        let mut passed = 0;
        let failed = bad.iter().position(|byte| {
            let counted = counter.count(std::slice::from_ref(byte), Instant::now());
            passed += counted.bytes;
            counted.outcome == Outcome::Fails(Fault::NotUtf8)
        });
        assert_eq!(failed, Some(6 + 4), "at the first byte that no text has");
        assert_eq!(passed, 6 + 4);
        // Binary data may have any bytes, also after a text message.
        let mut mixed = frame(0x81, "κ".as_bytes());
        mixed.extend(frame(0x82, b"\xff\xfe"));
        assert_eq!(counted(&mixed).outcome, Outcome::Goes);
        let long = "κ".repeat(PIECE_BYTES * 3);
        assert_eq!(
            counted(&frame(0x81, long.as_bytes())).outcome,
            Outcome::Goes
        );
    }

    #[test]
    fn a_length_in_eight_bytes_is_followed() {
        let mut read = vec![0x82, 0xff];
        read.extend(3_u64.to_be_bytes());
        read.extend(MASK);
        read.extend(b"abc");
        read.extend(frame(0x81, b"\xff"));
        let counted = counted(&read);
        assert_eq!(counted.outcome, Outcome::Fails(Fault::NotUtf8));
        assert_eq!(counted.bytes, read.len() - 1);
    }

    #[tokio::test]
    async fn a_flood_is_slowed_down_then_cut_and_nothing_is_lost_before() {
        let (ours, mut theirs) = tokio::io::duplex(64 * 1024);
        let mut stream = CountedStream::new(ours, MESSAGES_PER_SECOND);
        let ping = frame(0x89, b"");
        let flood = ping.repeat(4_000);
        theirs.write_all(&flood).await.expect("there is room");
        let mut read = Vec::new();
        let error = stream.read_to_end(&mut read).await.expect_err("it is cut");
        assert!(error.to_string().contains("too fast"), "{error}");
        assert_eq!(stream.fault(), Some(Fault::TooFast));
        assert_eq!(read, flood[..read.len()]);
        // On a very slow machine the budget refills while the test reads.
        let frames = read.len() / ping.len();
        assert!(
            (FRAMES_AT_ONCE as usize..2_000).contains(&frames),
            "{frames}"
        );
    }

    #[tokio::test]
    async fn what_waits_is_passed_on_whole() {
        let (ours, mut theirs) = tokio::io::duplex(64 * 1024);
        let mut stream = CountedStream::new(ours, MESSAGES_PER_SECOND);
        let count = FRAMES_AT_ONCE as usize + 3;
        let sent: Vec<u8> = (0..count).flat_map(|n| frame(0x8a, &[n as u8])).collect();
        theirs.write_all(&sent).await.expect("there is room");
        drop(theirs);
        let mut read = Vec::new();
        stream.read_to_end(&mut read).await.expect("it goes on");
        assert_eq!(read, sent);
    }
}
