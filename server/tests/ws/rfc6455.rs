//! The protocol of RFC 6455, case by case: those of groups 1 to 7 and 10 of the Autobahn suite, in its order, in their strict form, within
//! the limits of `docs/protocol.md`. Where that suite expects an echo, an accepted text is answered here by `pong`, if it is a `ping`
//! message, and by the error `bad-frame` otherwise.

use std::net::SocketAddr;

use serde_json::Value;

use crate::common::TestServer;
use crate::common::raw::{
    BINARY, CLOSE, CONTINUATION, Came, FIN, PING, PONG, Raw, TEXT, frame, handshake_lines, head,
    shake_hands,
};

/// A message that is answered by `pong`.
const HI: &[u8] = br#"{"t":"ping"}"#;

/// A text that is no message, with characters of one to three bytes.
const HELLO: &str = "Hello-µ@ßöäüàá-κόσμε-UTF-8!!";

/// The state of a socket after a case.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum End {
    /// It is open, and answers a close frame.
    Open,
    /// It is closed with this code.
    Closed(u16),
    /// It is closed without a code.
    ClosedBare,
}
use End::{Closed, ClosedBare, Open};

/// The answer to a frame.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Answer {
    /// To [`HI`].
    Hi,
    /// An error with this code, to another text or a binary frame.
    Error(&'static str),
    /// To a ping.
    Pong(Vec<u8>),
}
use Answer::{Error, Hi, Pong};

struct Case {
    name: String,
    /// The bytes, written one after the other.
    sent: Vec<Vec<u8>>,
    answers: Vec<Answer>,
    end: End,
}

#[derive(Default)]
struct Cases(Vec<Case>);

impl Cases {
    fn add(
        &mut self,
        name: impl Into<String>,
        sent: impl Into<Vec<Vec<u8>>>,
        answers: impl Into<Vec<Answer>>,
        end: End,
    ) {
        self.0.push(Case {
            name: name.into(),
            sent: sent.into(),
            answers: answers.into(),
            end,
        });
    }
}

/// Splits frames into single octets.
fn octets(frames: &[Vec<u8>]) -> Vec<Vec<u8>> {
    frames.concat().iter().map(|byte| vec![*byte]).collect()
}

fn hi() -> Vec<u8> {
    frame(FIN | TEXT, HI)
}

fn ping(payload: &[u8]) -> Vec<u8> {
    frame(FIN | PING, payload)
}

fn close(code: u16, reason: &[u8]) -> Vec<u8> {
    frame(FIN | CLOSE, &[&code.to_be_bytes(), reason].concat())
}

/// Returns a message in fragments.
fn fragments(opcode: u8, parts: &[&[u8]]) -> Vec<Vec<u8>> {
    let last = parts.len() - 1;
    let first_byte = |index| match (index, index == last) {
        (0, false) => opcode,
        (0, true) => FIN | opcode,
        (_, false) => CONTINUATION,
        (_, true) => FIN | CONTINUATION,
    };
    let frames = parts.iter().enumerate();
    frames
        .map(|(index, part)| frame(first_byte(index), part))
        .collect()
}

fn framing(cases: &mut Cases) {
    for (size, answer) in [
        (0, Error("bad-frame")),
        (125, Hi),
        (126, Hi),
        (127, Hi),
        (128, Hi),
        (4_096, Hi),
        (4_097, Error("frame-too-large")),
        (16_384, Error("frame-too-large")),
    ] {
        let text = String::from_utf8(HI.to_vec()).expect("text");
        let text = if size == 0 {
            String::new()
        } else {
            format!("{text:<size$}")
        };
        let sent = frame(FIN | TEXT, text.as_bytes());
        cases.add(
            format!("1.1 a text of {size}"),
            [sent.clone()],
            [answer.clone()],
            Open,
        );
        let chopped: Vec<Vec<u8>> = sent.chunks(997).map(<[u8]>::to_vec).collect();
        cases.add(
            format!("1.1.8 a text of {size} in chops"),
            chopped,
            [answer],
            Open,
        );
        let binary = frame(FIN | BINARY, &vec![0xfe; size]);
        cases.add(
            format!("1.2 binary of {size}"),
            [binary],
            [Error("bad-frame")],
            Open,
        );
    }
    for size in [16_385, 65_535, 65_536, usize::MAX >> 1, usize::MAX] {
        for opcode in [TEXT, BINARY] {
            let name = format!("1 a frame of {size}, opcode {opcode}");
            cases.add(name, [head(FIN | opcode, size)], [], Closed(1009));
        }
    }
    // The bytes after a refused head are ignored.
    let refused = [head(FIN | TEXT, 16_385), vec![0xff; 64]].concat();
    cases.add("1 a frame of 16385, begun", [refused], [], Closed(1009));
    cases.add("1 octet by octet", octets(&[hi()]), [Hi], Open);
    cases.add(
        "1 unmasked",
        [vec![FIN | TEXT, 2, b'h', b'i']],
        [],
        Closed(1002),
    );
    cases.add(
        "1 an unmasked ping",
        [vec![FIN | PING, 0]],
        [],
        Closed(1002),
    );
}

fn pings(cases: &mut Cases) {
    let payloads: [&[u8]; 4] = [
        b"",
        b"Hello, world!",
        &[0x00, 0xff, 0xfe, 0xfd],
        &[0xfe; 125],
    ];
    for (index, payload) in payloads.into_iter().enumerate() {
        let name = format!("2.{} a ping of {}", index + 1, payload.len());
        cases.add(name, [ping(payload)], [Pong(payload.to_vec())], Open);
    }
    cases.add("2.5 a ping of 126", [ping(&[0xfe; 126])], [], Closed(1002));
    let long = [0xfe; 125];
    cases.add(
        "2.6 octet by octet",
        octets(&[ping(&long)]),
        [Pong(long.to_vec())],
        Open,
    );
    cases.add("2.7 a pong", [frame(FIN | PONG, b"")], [], Open);
    let unasked = frame(FIN | PONG, b"unsolicited");
    cases.add("2.8 a pong with a payload", [unasked.clone()], [], Open);
    cases.add(
        "2.9 a pong, a ping",
        [unasked, ping(b"x")],
        [Pong(b"x".to_vec())],
        Open,
    );
    let ten: Vec<Vec<u8>> = (0..10)
        .map(|n| ping(format!("payload-{n}").as_bytes()))
        .collect();
    let answers: Vec<Answer> = (0..10)
        .map(|n| Pong(format!("payload-{n}").into_bytes()))
        .collect();
    cases.add("2.10 ten pings", ten.clone(), answers.clone(), Open);
    cases.add(
        "2.10 ten pings at once",
        [ten.concat()],
        answers.clone(),
        Open,
    );
    cases.add("2.11 ten pings octet by octet", octets(&ten), answers, Open);
}

fn reserved_bits(cases: &mut Cases) {
    for bits in 1..8 {
        let first = |opcode| FIN | bits << 4 | opcode;
        let text = frame(first(TEXT), HI);
        cases.add(
            format!("3.{bits} on a text"),
            [text.clone()],
            [],
            Closed(1002),
        );
        let sent = [hi(), text, ping(b"")];
        cases.add(
            format!("3.{bits} on the second text"),
            sent.clone(),
            [Hi],
            Closed(1002),
        );
        cases.add(
            format!("3.{bits} octet by octet"),
            octets(&sent),
            [Hi],
            Closed(1002),
        );
        for (opcode, payload) in [
            (BINARY, &[0xff; 8][..]),
            (PING, b"Hi"),
            (PONG, b""),
            (CLOSE, b""),
        ] {
            let name = format!("3.{bits} on opcode {opcode}");
            cases.add(name, [frame(first(opcode), payload)], [], Closed(1002));
        }
    }
}

fn opcodes(cases: &mut Cases) {
    for opcode in (3..8).chain(11..16) {
        for payload in [&b""[..], b"reserved"] {
            let reserved = frame(FIN | opcode, payload);
            let name = |how: &str| format!("4 opcode {opcode} with {}, {how}", payload.len());
            cases.add(name("alone"), [reserved.clone()], [], Closed(1002));
            let sent = [hi(), reserved, ping(b"")];
            cases.add(name("after a text"), sent.clone(), [Hi], Closed(1002));
            cases.add(name("octet by octet"), octets(&sent), [Hi], Closed(1002));
        }
    }
}

fn fragmentation(cases: &mut Cases) {
    for (case, opcode) in [(1, PING), (2, PONG)] {
        let sent = fragments(opcode, &[b"fragment1", b"fragment2"]);
        cases.add(
            format!("5.{case} opcode {opcode} in fragments"),
            sent,
            [],
            Closed(1002),
        );
    }
    let two = fragments(TEXT, &[&HI[..5], &HI[5..]]);
    cases.add("5.3 two fragments at once", [two.concat()], [Hi], Open);
    cases.add("5.4 one by one", two.clone(), [Hi], Open);
    cases.add("5.5 octet by octet", octets(&two), [Hi], Open);
    let between = [two[0].clone(), ping(b"between"), two[1].clone()];
    let answers = [Pong(b"between".to_vec()), Hi];
    cases.add(
        "5.6 a ping between, at once",
        [between.concat()],
        answers.clone(),
        Open,
    );
    cases.add("5.7 one by one", between.clone(), answers.clone(), Open);
    cases.add("5.8 octet by octet", octets(&between), answers, Open);
    for (case, first) in [(9, FIN | CONTINUATION), (12, CONTINUATION)] {
        let sent = [frame(first, b"nothing to continue"), hi()];
        cases.add(
            format!("5.{case} at once"),
            [sent.concat()],
            [],
            Closed(1002),
        );
        cases.add(
            format!("5.{} one by one", case + 1),
            sent.clone(),
            [],
            Closed(1002),
        );
        cases.add(
            format!("5.{} octet by octet", case + 2),
            octets(&sent),
            [],
            Closed(1002),
        );
    }
    let mut sent = two.clone();
    sent.extend([frame(CONTINUATION, b"more"), hi()]);
    cases.add(
        "5.15 a message, then a continuation of nothing",
        sent,
        [Hi],
        Closed(1002),
    );
    for (case, first) in [(16, CONTINUATION), (17, FIN | CONTINUATION)] {
        let mut sent = vec![frame(first, b"fragment1")];
        sent.extend(two.clone());
        cases.add(
            format!("5.{case} a continuation of nothing, then a message"),
            sent,
            [],
            Closed(1002),
        );
    }
    let twice = [frame(TEXT, b"fragment1"), frame(FIN | TEXT, b"fragment2")];
    cases.add("5.18 a text within a text", twice, [], Closed(1002));
    let parts: [&[u8]; 5] = [&HI[..2], &HI[2..4], &HI[4..7], &HI[7..8], &HI[8..]];
    let mut five = fragments(TEXT, &parts);
    five.insert(2, ping(b"pongme 1!"));
    five.insert(5, ping(b"pongme 2!"));
    let answers = [Pong(b"pongme 1!".to_vec()), Pong(b"pongme 2!".to_vec()), Hi];
    cases.add(
        "5.19 five fragments and pings",
        five.clone(),
        answers.clone(),
        Open,
    );
    cases.add("5.20 at once", [five.concat()], answers, Open);
    let mut empty = vec![frame(TEXT, b"")];
    empty.extend((0..50).map(|_| frame(CONTINUATION, b"")));
    empty.push(frame(FIN | CONTINUATION, HI));
    cases.add("5 fifty empty fragments", empty, [Hi], Open);
}

/// Valid texts, from RFC 3629 and from Markus Kuhn's decoder stress test.
const VALID: [&[u8]; 40] = [
    // 6.5, 6.6: the beginnings of a word, at the ends of its characters
    "κ".as_bytes(),
    "κό".as_bytes(),
    "κόσ".as_bytes(),
    "κόσμ".as_bytes(),
    "κόσμε".as_bytes(),
    // 6.7: the first character of each length
    b"\x00",
    b"\xc2\x80",
    b"\xe0\xa0\x80",
    b"\xf0\x90\x80\x80",
    // 6.9: the last character of each length
    b"\x7f",
    b"\xdf\xbf",
    b"\xef\xbf\xbf",
    b"\xf4\x8f\xbf\xbf",
    // 6.11: around the surrogates
    b"\xed\x9f\xbf",
    b"\xee\x80\x80",
    b"\xef\xbf\xbd",
    // 6.22: noncharacters, correctly encoded
    b"\xef\xbf\xbe",
    b"\xf0\x9f\xbf\xbe",
    b"\xf0\x9f\xbf\xbf",
    b"\xf0\xaf\xbf\xbe",
    b"\xf0\xaf\xbf\xbf",
    b"\xf0\xbf\xbf\xbe",
    b"\xf0\xbf\xbf\xbf",
    b"\xf1\x8f\xbf\xbe",
    b"\xf1\x8f\xbf\xbf",
    b"\xf1\x9f\xbf\xbe",
    b"\xf1\xaf\xbf\xbf",
    b"\xf1\xbf\xbf\xbe",
    b"\xf2\x8f\xbf\xbf",
    b"\xf2\xbf\xbf\xbe",
    b"\xf3\x8f\xbf\xbf",
    b"\xf3\xbf\xbf\xbf",
    b"\xf4\x8f\xbf\xbe",
    // 6.23: specials
    b"\xef\xbf\xb9",
    b"\xef\xbf\xba",
    b"\xef\xbf\xbb",
    b"\xef\xbf\xbc",
    // 6.2
    "Hello-µ@ßöäüàá-UTF-8!!".as_bytes(),
    HELLO.as_bytes(),
    "\u{feff}".as_bytes(),
];

/// Invalid texts, and the byte of each at which that is certain; `None` if only the end shows it.
const INVALID: &[(&[u8], Option<usize>)] = &[
    // 6.3, 6.4
    (
        b"\xce\xba\xe1\xbd\xb9\xcf\x83\xce\xbc\xce\xb5\xed\xa0\x80edited",
        Some(12),
    ),
    (
        b"\xce\xba\xe1\xbd\xb9\xcf\x83\xce\xbc\xce\xb5\xf4\x90\x80\x80edited",
        Some(12),
    ),
    // 6.6: a word that ends within a character
    (b"\xce", None),
    (b"\xce\xba\xe1", None),
    (b"\xce\xba\xe1\xbd", None),
    (b"\xce\xba\xe1\xbd\xb9\xcf", None),
    (b"\xce\xba\xe1\xbd\xb9\xcf\x83\xce", None),
    // 6.8, 6.10: lengths that no longer exist
    (b"\xf8\x88\x80\x80\x80", Some(0)),
    (b"\xfc\x84\x80\x80\x80\x80", Some(0)),
    (b"\xf7\xbf\xbf\xbf", Some(0)),
    (b"\xfb\xbf\xbf\xbf\xbf", Some(0)),
    (b"\xfd\xbf\xbf\xbf\xbf\xbf", Some(0)),
    // 6.11.5
    (b"\xf4\x90\x80\x80", Some(1)),
    // 6.12: continuation bytes
    (b"\x80", Some(0)),
    (b"\xbf", Some(0)),
    (b"\x80\xbf", Some(0)),
    (b"\x80\xbf\x80\xbf\x80\xbf", Some(0)),
    // 6.13: beginnings without their rest
    (b"\xc2 \xc3 ", Some(1)),
    (b"\xe0 \xe1 ", Some(1)),
    (b"\xf0 \xf1 ", Some(1)),
    (b"\xf8 \xf9 ", Some(0)),
    (b"\xfc \xfd ", Some(0)),
    // 6.14: without the last byte
    (b"\xc0", Some(0)),
    (b"\xe0\x80", Some(1)),
    (b"\xf0\x80\x80", Some(1)),
    (b"\xf8\x80\x80\x80", Some(0)),
    (b"\xfc\x80\x80\x80\x80", Some(0)),
    (b"\xdf", None),
    (b"\xef\xbf", None),
    (b"\xf7\xbf\xbf", Some(0)),
    (b"\xfb\xbf\xbf\xbf", Some(0)),
    (b"\xfd\xbf\xbf\xbf\xbf", Some(0)),
    // 6.15: all of them
    (b"\xdf\xef\xbf\xf7\xbf\xbf", Some(1)),
    // 6.16: bytes that never occur
    (b"\xfe", Some(0)),
    (b"\xff", Some(0)),
    (b"\xfe\xfe\xff\xff", Some(0)),
    // 6.17, 6.18, 6.19: overlong encodings
    (b"\xc0\xaf", Some(0)),
    (b"\xe0\x80\xaf", Some(1)),
    (b"\xf0\x80\x80\xaf", Some(1)),
    (b"\xf8\x80\x80\x80\xaf", Some(0)),
    (b"\xfc\x80\x80\x80\x80\xaf", Some(0)),
    (b"\xc1\xbf", Some(0)),
    (b"\xe0\x9f\xbf", Some(1)),
    (b"\xf0\x8f\xbf\xbf", Some(1)),
    (b"\xf8\x87\xbf\xbf\xbf", Some(0)),
    (b"\xfc\x83\xbf\xbf\xbf\xbf", Some(0)),
    (b"\xc0\x80", Some(0)),
    (b"\xe0\x80\x80", Some(1)),
    (b"\xf0\x80\x80\x80", Some(1)),
    (b"\xf8\x80\x80\x80\x80", Some(0)),
    (b"\xfc\x80\x80\x80\x80\x80", Some(0)),
    // 6.20, 6.21: surrogates, alone and in pairs
    (b"\xed\xa0\x80", Some(1)),
    (b"\xed\xad\xbf", Some(1)),
    (b"\xed\xae\x80", Some(1)),
    (b"\xed\xaf\xbf", Some(1)),
    (b"\xed\xb0\x80", Some(1)),
    (b"\xed\xbe\x80", Some(1)),
    (b"\xed\xbf\xbf", Some(1)),
    (b"\xed\xa0\x80\xed\xb0\x80", Some(1)),
    (b"\xed\xa0\x80\xed\xbf\xbf", Some(1)),
    (b"\xed\xad\xbf\xed\xb0\x80", Some(1)),
    (b"\xed\xaf\xbf\xed\xbf\xbf", Some(1)),
];

fn utf8(cases: &mut Cases) {
    let unparsed = [Error("bad-frame")];
    cases.add(
        "6.1.1 an empty text",
        [frame(FIN | TEXT, b"")],
        unparsed.clone(),
        Open,
    );
    let empty = fragments(TEXT, &[b"", b"", b""]);
    cases.add("6.1.2 three empty fragments", empty, unparsed.clone(), Open);
    let middle = fragments(TEXT, &[b"", HI, b""]);
    cases.add("6.1.3 something in the middle", middle, [Hi], Open);
    let single = |text: &[u8]| -> Vec<Vec<u8>> {
        let parts: Vec<&[u8]> = text.chunks(1).collect();
        fragments(TEXT, &parts)
    };
    for text in VALID {
        let name = |how: &str| format!("6 valid {} {how}", text.escape_ascii());
        cases.add(
            name("whole"),
            [frame(FIN | TEXT, text)],
            unparsed.clone(),
            Open,
        );
        cases.add(
            name("in fragments of an octet"),
            single(text),
            unparsed.clone(),
            Open,
        );
        let whole = [frame(FIN | TEXT, text)];
        cases.add(
            name("octet by octet"),
            octets(&whole),
            unparsed.clone(),
            Open,
        );
    }
    for (text, certain) in INVALID {
        let name = |how: &str| format!("6 invalid {} {how}", text.escape_ascii());
        cases.add(name("whole"), [frame(FIN | TEXT, text)], [], Closed(1007));
        cases.add(
            name("in fragments of an octet"),
            single(text),
            [],
            Closed(1007),
        );
        // Strict: nothing is sent after the byte that makes it certain, neither the rest of the frame nor that of the message.
        let Some(certain) = certain else { continue };
        let begun = &frame(FIN | TEXT, &[text, &b"never sent"[..]].concat());
        let cut = begun.len() - "never sent".len() - text.len() + certain + 1;
        cases.add(
            name("in a frame that does not end"),
            [begun[..cut].to_vec()],
            [],
            Closed(1007),
        );
        let fragment = frame(TEXT, &text[..=*certain]);
        cases.add(
            name("in a message that does not end"),
            [fragment],
            [],
            Closed(1007),
        );
    }
    let continuations: Vec<u8> = (0x80..0xc0).collect();
    cases.add(
        "6.12.8 all of them",
        [frame(FIN | TEXT, &continuations)],
        [],
        Closed(1007),
    );
    let between = [
        frame(TEXT, b"\xce"),
        ping(b"\xff"),
        frame(FIN | CONTINUATION, b"\xba"),
    ];
    let answers = [Pong(b"\xff".to_vec()), Error("bad-frame")];
    cases.add("6 a ping within a character", between, answers, Open);
}

fn closing(cases: &mut Cases) {
    cases.add(
        "7.1.1 a text, then a close",
        [hi(), close(1000, b"")],
        [Hi],
        Closed(1000),
    );
    cases.add(
        "7.1.2 two closes",
        [close(1000, b""), close(1000, b"")],
        [],
        Closed(1000),
    );
    cases.add(
        "7.1.3 a ping after it",
        [close(1000, b""), ping(b"late")],
        [],
        Closed(1000),
    );
    cases.add(
        "7.1.3 at once",
        [[close(1000, b""), ping(b"late")].concat()],
        [],
        Closed(1000),
    );
    cases.add(
        "7.1.4 a text after it",
        [[close(1000, b""), hi()].concat()],
        [],
        Closed(1000),
    );
    let [first, second] = [frame(TEXT, &HI[..5]), frame(FIN | CONTINUATION, &HI[5..])];
    cases.add(
        "7.1.5 within a message",
        [first, close(1000, b""), second],
        [],
        Closed(1000),
    );
    let text = format!("{:<4096}", String::from_utf8_lossy(HI));
    let long = [
        frame(FIN | TEXT, text.as_bytes()),
        close(1000, b""),
        ping(b"late"),
    ];
    cases.add(
        "7.1.6 after a long text",
        [long.concat()],
        [Hi],
        Closed(1000),
    );
    cases.add(
        "7.3.1 an empty close",
        [frame(FIN | CLOSE, b"")],
        [],
        ClosedBare,
    );
    cases.add(
        "7.3.2 a close of one byte",
        [frame(FIN | CLOSE, b"a")],
        [],
        Closed(1002),
    );
    cases.add("7.3.3 a code", [close(1000, b"")], [], Closed(1000));
    cases.add(
        "7.3.4 a reason",
        [close(1000, "Hello Wörld!".as_bytes())],
        [],
        Closed(1000),
    );
    cases.add(
        "7.3.5 a reason of 123",
        [close(1000, &[b'*'; 123])],
        [],
        Closed(1000),
    );
    cases.add(
        "7.3.6 a reason of 124",
        [close(1000, &[b'*'; 124])],
        [],
        Closed(1002),
    );
    for reason in INVALID.iter().map(|(text, _)| text) {
        let name = format!("7.5.1 the reason {}", reason.escape_ascii());
        cases.add(name, [close(1000, reason)], [], Closed(1007));
    }
    for code in [
        1000, 1001, 1002, 1003, 1007, 1008, 1009, 1010, 1011, 3000, 3999, 4000, 4999,
    ] {
        cases.add(
            format!("7.7 the code {code}"),
            [close(code, b"")],
            [],
            Closed(code),
        );
    }
    for code in [
        0, 999, 1004, 1005, 1006, 1015, 1016, 1100, 2000, 2999, 5000, 65535,
    ] {
        cases.add(
            format!("7.9 the code {code}"),
            [close(code, b"")],
            [],
            Closed(1002),
        );
    }
    let sent = [frame(CLOSE, &1000_u16.to_be_bytes())];
    cases.add("7 a close in fragments", sent, [], Closed(1002));
}

fn automatic_fragmentation(cases: &mut Cases) {
    let text = format!("{:<4096}", String::from_utf8_lossy(HI));
    for size in [1, 2, 37, 1_300, 4_095, 4_096] {
        // A message has 128 fragments at most.
        let text = &text.as_bytes()[..(128 * size).min(4_096)];
        let parts: Vec<&[u8]> = text.chunks(size).collect();
        let name = format!("10.1.1 {} bytes in fragments of {size}", text.len());
        cases.add(name.clone(), fragments(TEXT, &parts), [Hi], Open);
        cases.add(
            format!("{name} at once"),
            [fragments(TEXT, &parts).concat()],
            [Hi],
            Open,
        );
        let binary = fragments(BINARY, &parts);
        cases.add(
            format!("{name}, binary"),
            binary,
            [Error("bad-frame")],
            Open,
        );
    }
    let large = fragments(TEXT, &[&[b'x'; 8_000], &[b'x'; 8_000], &[b'x'; 8_000]]);
    cases.add(
        "10 fragments of more than 16 KiB together",
        large,
        [],
        Closed(1009),
    );
    let mut many = vec![frame(TEXT, b"\"")];
    many.extend((0..128).map(|_| frame(CONTINUATION, b"x")));
    cases.add("10 more than 128 fragments", many, [], Closed(1008));
}

impl Case {
    /// Runs the case; returns the first difference.
    async fn run(&self, address: SocketAddr) -> Result<(), String> {
        let mut raw = Raw::open(address).await;
        for bytes in &self.sent {
            if !raw.send(bytes).await {
                break;
            }
        }
        for expected in &self.answers {
            let came = raw.reader.next_but_pings().await;
            if !expected.is(&came) {
                return Err(format!("{came:?} instead of {expected:?}"));
            }
        }
        let end = match self.end {
            Open => {
                // A socket that is not open fails below.
                raw.send(&close(1000, b"")).await;
                Came::Close(Some(1000))
            }
            Closed(code) => Came::Close(Some(code)),
            ClosedBare => Came::Close(None),
        };
        for expected in [end, Came::End] {
            let came = raw.reader.next_but_pings().await;
            if came != expected {
                return Err(format!("{came:?} instead of {expected:?}"));
            }
        }
        Ok(())
    }
}

impl Answer {
    fn is(&self, came: &Came) -> bool {
        match (self, came) {
            (Hi, Came::Text(text)) => text == r#"{"t":"pong"}"#,
            (Error(code), Came::Text(text)) => {
                let message: Value = serde_json::from_str(text).expect("JSON");
                message["t"] == "error" && message["code"] == *code
            }
            (Pong(payload), Came::Pong(came)) => payload == came,
            (Hi | Error(_) | Pong(_), _) => false,
        }
    }
}

#[tokio::test]
async fn every_case_of_the_protocol_is_answered_as_it_should_be() {
    let server = TestServer::start().await;
    let mut cases = Cases::default();
    framing(&mut cases);
    pings(&mut cases);
    reserved_bits(&mut cases);
    opcodes(&mut cases);
    fragmentation(&mut cases);
    utf8(&mut cases);
    closing(&mut cases);
    automatic_fragmentation(&mut cases);
    let mut failed = Vec::new();
    for case in &cases.0 {
        if let Err(how) = case.run(server.address).await {
            failed.push(format!("{}: {how}", case.name));
        }
    }
    assert!(
        failed.is_empty(),
        "{} of {} cases fail:\n{}",
        failed.len(),
        cases.0.len(),
        failed.join("\n")
    );
    server.stop().await;
}

#[tokio::test]
async fn a_handshake_is_as_the_protocol_wants_it() {
    let server = TestServer::start().await;
    let address = server.address;
    let with = |name: &str, value: Option<&str>| {
        let mut lines = handshake_lines(address);
        lines.retain(|line| !line.starts_with(&format!("{name}:")));
        lines.extend(value.map(|value| format!("{name}: {value}")));
        lines
    };
    for lines in [
        handshake_lines(address),
        with("Connection", Some("keep-alive, Upgrade")),
        with("Connection", Some("upgrade")),
        with("Upgrade", Some("WebSocket")),
        with("Sec-WebSocket-Protocol", Some("chat, mawe.v1")),
    ] {
        let (status, head, _) = shake_hands(address, &lines).await.expect("an answer");
        assert_eq!(status, 101, "{lines:?}");
        // The example of RFC 6455, section 1.3.
        let accept = "sec-websocket-accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=";
        assert!(
            head.to_lowercase().contains(&accept.to_lowercase()),
            "{head}"
        );
    }
    let mut two_keys = handshake_lines(address);
    two_keys.push("Sec-WebSocket-Key: AQIDBAUGBwgJCgsMDQ4PEA==".to_owned());
    for lines in [
        with("Sec-WebSocket-Key", None),
        with("Sec-WebSocket-Key", Some("")),
        with("Sec-WebSocket-Key", Some("abc")),
        with("Sec-WebSocket-Key", Some("dGhlIHNhbXBsZSBub25j")),
        with("Sec-WebSocket-Key", Some("dGhlIHNhbXBsZSBub25jZWQ=")),
        two_keys,
        with("Sec-WebSocket-Version", None),
        with("Sec-WebSocket-Version", Some("12")),
        with("Sec-WebSocket-Protocol", None),
        with("Upgrade", None),
        with("Connection", Some("keep-alive")),
    ] {
        let (status, head, _) = shake_hands(address, &lines).await.expect("an answer");
        assert_eq!(status, 400, "{lines:?}");
        assert!(
            head.to_lowercase().contains("sec-websocket-version: 13"),
            "{head}"
        );
    }
    server.stop().await;
}
