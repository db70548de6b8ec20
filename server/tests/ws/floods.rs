//! Floods of one socket, counted: their cost is bounded, and other clients are not affected.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use crate::common::TestServer;
use crate::common::play::Pair;
use crate::common::raw::{BINARY, CONTINUATION, Came, FIN, PING, PONG, Raw, TEXT, frame};

/// The number of frames of a hostile socket, unless it is cut.
const FLOOD: usize = 100_000;

/// The greatest number of answered frames of a flood: the budget, and its refill on a very slow machine.
const ANSWERED: usize = 2_000;

#[derive(Debug, Clone, Copy)]
enum Kind {
    Pings,
    LongPings,
    Pongs,
    EmptyContinuations,
    Continuations,
    /// Pings between the fragments of an endless message.
    PingsWithin,
    Bytes,
}

const KINDS: [Kind; 7] = [
    Kind::Pings,
    Kind::LongPings,
    Kind::Pongs,
    Kind::EmptyContinuations,
    Kind::Continuations,
    Kind::PingsWithin,
    Kind::Bytes,
];

impl Kind {
    fn start(self) -> Vec<u8> {
        match self {
            Kind::EmptyContinuations | Kind::Continuations | Kind::PingsWithin => {
                frame(TEXT, b"\"")
            }
            Kind::Pings | Kind::LongPings | Kind::Pongs | Kind::Bytes => Vec::new(),
        }
    }

    fn frame(self) -> Vec<u8> {
        match self {
            Kind::Pings | Kind::PingsWithin => frame(FIN | PING, b""),
            Kind::LongPings => frame(FIN | PING, &[b'x'; 125]),
            Kind::Pongs => frame(FIN | PONG, b""),
            Kind::EmptyContinuations => frame(CONTINUATION, b""),
            Kind::Continuations => frame(CONTINUATION, b"x"),
            Kind::Bytes => frame(FIN | BINARY, &[0; 16_000]),
        }
    }
}

/// Floods a socket; returns the number of pongs, and the close code, if one arrived.
async fn flood(raw: Raw, kind: Kind) -> (usize, Option<u16>) {
    let Raw { mut reader, writer } = raw;
    let sending = tokio::spawn(async move {
        use tokio::io::AsyncWriteExt;
        let mut writer = writer;
        let some = kind.frame().repeat(100);
        if writer.write_all(&kind.start()).await.is_err() {
            return;
        }
        for _ in 0..FLOOD / 100 {
            // The server hangs up at some point.
            if writer.write_all(&some).await.is_err() {
                return;
            }
        }
    });
    let mut pongs = 0;
    let mut code = None;
    loop {
        match reader.next().await {
            Came::Pong(_) => pongs += 1,
            Came::Close(with) => code = with,
            Came::Text(_) | Came::Ping => {}
            Came::End => break,
        }
    }
    sending.await.expect("it does not panic");
    (pongs, code)
}

#[tokio::test]
async fn a_flood_of_any_kind_of_frame_is_cut_after_a_bounded_number() {
    let server = TestServer::start().await;
    for kind in KINDS {
        let (pongs, code) = flood(Raw::open(server.address).await, kind).await;
        let expected = match kind {
            // Each is answered with an error, and the ninth exceeds the limit.
            Kind::Bytes => 1003,
            _ => 1008,
        };
        assert_eq!(code, Some(expected), "{kind:?}");
        assert!(pongs < ANSWERED, "{kind:?}: {pongs} pongs");
        let answers = matches!(kind, Kind::Pings | Kind::LongPings | Kind::PingsWithin);
        assert!(pongs >= 100 || !answers, "an honest burst passes: {pongs}");
    }
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn while_four_sockets_flood_every_move_is_acknowledged() {
    let server = Arc::new(TestServer::start().await);
    let mut pair = Pair::of_guests(&server).await;
    let is_over = Arc::new(AtomicBool::new(false));
    let cut = Arc::new(AtomicUsize::new(0));
    let kinds = [
        Kind::Pings,
        Kind::Pongs,
        Kind::EmptyContinuations,
        Kind::LongPings,
    ];
    let hostile = kinds.map(|kind| {
        let (address, is_over, cut) = (server.address, Arc::clone(&is_over), Arc::clone(&cut));
        tokio::spawn(async move {
            while !is_over.load(Ordering::Relaxed) {
                if let Some(raw) = Raw::try_open(address).await {
                    let (pongs, _) = flood(raw, kind).await;
                    assert!(pongs < ANSWERED, "{kind:?}: {pongs} pongs");
                    cut.fetch_add(1, Ordering::Relaxed);
                }
            }
        })
    });
    pair.play_out().await;
    // Each was cut during the match, or is cut now.
    is_over.store(true, Ordering::Relaxed);
    for one in hostile {
        one.await.expect("it was cut");
    }
    assert!(cut.load(Ordering::Relaxed) >= kinds.len());
}
