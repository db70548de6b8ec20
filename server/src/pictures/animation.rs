//! A match as a moving picture: a GIF of its boards, one after another.
//!
//! A GIF has 256 colours at most. They are chosen once from the first, a middle and the last board, so that nothing flickers, and each
//! frame has only the pixels that differ from the frame before.

use std::collections::HashMap;

use axum::body::Bytes;
use color_quant::NeuQuant;
use gif::{DisposalMethod, Encoder, Frame, Repeat};
use mawe_rules::AnyPosition;
use resvg::tiny_skia::{Color, Pixmap};
use sha2::{Digest, Sha256};

use super::canvas::Drawing;
use super::kept::Key;
use super::last_move::LastMove;
use super::{board, colours, render};

/// The most frames: a longer match is shown in steps of several plies. A frame takes some 20 ms of a thread.
pub(crate) const MAX_FRAMES: usize = 200;

/// The bytes after which only the last position follows.
const MAX_BYTES: usize = 4 * 1024 * 1024;

/// The width of a frame in pixels, of a square board and of a wide one.
const SQUARE_WIDTH: u32 = 480;
const WIDE_WIDTH: u32 = 800;

/// The frames that take as long to draw as one picture of a position: a frame has a third of its pixels, and is not packed as PNG.
pub(crate) const FRAMES_PER_PICTURE: usize = 6;

/// The times for which frames are shown, in hundredths of a second.
const FIRST: u16 = 120;
const PLY: u16 = 80;
const LAST: u16 = 500;

/// The number of colours of the boards.
const COLOURS: usize = 255;

/// The colour that leaves the pixel as it is in the frame before.
const SAME: u8 = 255;

/// One pixel of so many is looked at for the choice of the colours.
const SAMPLE: i32 = 7;

/// A position to be shown, and the move that led to it.
#[derive(Debug, Clone)]
pub(crate) struct Scene {
    pub(crate) position: AnyPosition,
    pub(crate) last: Option<LastMove>,
}

impl Scene {
    fn board(&self) -> Drawing {
        board(&self.position, self.last)
    }
}

/// Returns the numbers of plies whose positions are shown, at most [`MAX_FRAMES`]: the first and the last are among them.
pub(crate) fn shown(plies: usize) -> impl Iterator<Item = usize> {
    let step = plies.div_ceil(MAX_FRAMES - 1).max(1);
    let before = (0..plies).step_by(step);
    before.chain([plies])
}

/// Returns the key of an animation: of its positions and moves, and of the look of its game.
pub(crate) fn key(scenes: &[Scene]) -> Key {
    let mut digest = Sha256::new();
    for (number, scene) in scenes.iter().enumerate() {
        if number == 0 {
            digest.update(scene.board().as_str());
        }
        let last = scene.last.map(|last| (last.side, last.played.to_string()));
        digest.update(format!("{} {last:?}\n", scene.position));
    }
    digest.finalize().into()
}

/// Draws the scenes of a match. `None` if there are none, or if the renderer or the encoder fails.
pub(crate) fn gif(scenes: &[Scene]) -> Option<Bytes> {
    gif_within(MAX_BYTES, scenes)
}

/// As [`gif()`]; after so many bytes only the last scene follows.
fn gif_within(max_bytes: usize, scenes: &[Scene]) -> Option<Bytes> {
    let (first, last) = (scenes.first()?, scenes.last()?);
    let mut colours = Palette::of([first, &scenes[scenes.len() / 2], last])?;
    let mut shown = pixels(first)?;
    let [width, height] = [shown.width(), shown.height()].map(u16::try_from);
    let (width, height) = (width.ok()?, height.ok()?);
    let palette = colours.bytes();
    let mut encoder = Encoder::new(Vec::new(), width, height, &palette).ok()?;
    encoder.set_repeat(Repeat::Infinite).ok()?;
    let mut frame = Frame {
        width,
        height,
        delay: if scenes.len() == 1 { LAST } else { FIRST },
        dispose: DisposalMethod::Keep,
        buffer: colours.indices(&shown).into(),
        ..Frame::default()
    };
    encoder.write_frame(&frame).ok()?;
    for (number, scene) in scenes.iter().enumerate().skip(1) {
        let is_last = number + 1 == scenes.len();
        if encoder.get_ref().len() > max_bytes && !is_last {
            continue;
        }
        let next = pixels(scene)?;
        let change = Change::between(&shown, &next);
        frame.delay = if is_last { LAST } else { PLY };
        frame.transparent = Some(SAME);
        (frame.left, frame.top) = (change.left, change.top);
        (frame.width, frame.height) = (change.width, change.height);
        frame.buffer = colours.changed(&shown, &next, change).into();
        encoder.write_frame(&frame).ok()?;
        shown = next;
    }
    encoder.into_inner().ok().map(Bytes::from)
}

/// Draws a scene on the plain ground of the pictures.
fn pixels(scene: &Scene) -> Option<Pixmap> {
    let drawing = scene.board();
    let (width, height) = drawing.size();
    let width_shown = if width > height {
        WIDE_WIDTH
    } else {
        SQUARE_WIDTH
    };
    let mut pixels = Pixmap::new(width_shown, height * width_shown / width)?;
    let [red, green, blue] = colours::rgb(colours::GROUND[0]);
    pixels.fill(Color::from_rgba8(red, green, blue, u8::MAX));
    render::paint(&drawing, &mut pixels)?;
    Some(pixels)
}

/// The smallest rectangle that has all pixels that differ between two frames; one pixel if none does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Change {
    left: u16,
    top: u16,
    width: u16,
    height: u16,
}

impl Change {
    fn between(old: &Pixmap, new: &Pixmap) -> Change {
        let width = old.width() as usize;
        let rows = old.pixels().chunks_exact(width);
        let rows = rows.zip(new.pixels().chunks_exact(width));
        let (mut left, mut right, mut top, mut bottom) = (width, 0, None, 0);
        for (y, (old, new)) in rows.enumerate() {
            let differs = |(old, new)| old != new;
            let Some(first) = old.iter().zip(new).position(differs) else {
                continue;
            };
            let last = old.iter().zip(new).rposition(differs).unwrap_or(first);
            (left, right) = (left.min(first), right.max(last));
            (top, bottom) = (top.or(Some(y)), y);
        }
        let Some(top) = top else {
            return Change {
                left: 0,
                top: 0,
                width: 1,
                height: 1,
            };
        };
        let [left, top, width, height] = [left, top, right + 1 - left, bottom + 1 - top]
            .map(|one| u16::try_from(one).expect("a frame has fewer than 65,536 pixels a row"));
        Change {
            left,
            top,
            width,
            height,
        }
    }
}

/// The colours of an animation.
struct Palette {
    network: NeuQuant,
    /// The index of each colour that was looked up.
    known: HashMap<[u8; 3], u8>,
}

impl Palette {
    fn of(scenes: [&Scene; 3]) -> Option<Palette> {
        let mut bytes = Vec::new();
        for scene in scenes {
            // The ground is opaque, and so is every pixel.
            bytes.extend_from_slice(pixels(scene)?.data());
        }
        Some(Palette {
            network: NeuQuant::new(SAMPLE, COLOURS, &bytes),
            known: HashMap::new(),
        })
    }

    /// Returns the colours as a GIF has them, with an unused one at [`SAME`].
    fn bytes(&self) -> Vec<u8> {
        let mut bytes = self.network.color_map_rgb();
        bytes.resize(3 * (COLOURS + 1), 0);
        bytes
    }

    fn index(&mut self, [red, green, blue]: [u8; 3]) -> u8 {
        let network = &self.network;
        let known = self.known.entry([red, green, blue]);
        *known.or_insert_with(|| {
            let index = network.index_of(&[red, green, blue, u8::MAX]);
            u8::try_from(index).expect("there are 255 colours")
        })
    }

    fn indices(&mut self, pixels: &Pixmap) -> Vec<u8> {
        let pixels = pixels.pixels().iter();
        pixels
            .map(|pixel| self.index([pixel.red(), pixel.green(), pixel.blue()]))
            .collect()
    }

    /// Returns the pixels of a rectangle: those that are alike in the frame before as [`SAME`].
    fn changed(&mut self, old: &Pixmap, new: &Pixmap, change: Change) -> Vec<u8> {
        let (left, wide) = (usize::from(change.left), usize::from(change.width));
        let (top, high) = (usize::from(change.top), usize::from(change.height));
        let mut indices = Vec::with_capacity(wide * high);
        for y in top..top + high {
            let start = y * old.width() as usize + left;
            let row = start..start + wide;
            for (old, new) in old.pixels()[row.clone()].iter().zip(&new.pixels()[row]) {
                indices.push(if old == new {
                    SAME
                } else {
                    self.index([new.red(), new.green(), new.blue()])
                });
            }
        }
        indices
    }
}

#[cfg(test)]
mod tests {
    use gif::{ColorOutput, DecodeOptions};
    use mawe_rules::{AnySetup, GameKind};

    use super::*;
    use crate::pictures::samples::moves;

    /// The most bytes of two frames, whose pixels take 12 bits each at most.
    const TWO_FRAMES: usize = 3 * (SQUARE_WIDTH * SQUARE_WIDTH) as usize + 4_096;

    /// The scenes of the game from which the picture of a game is taken.
    fn scenes(game: GameKind) -> Vec<Scene> {
        let setup = AnySetup::standard(game);
        let mut position = AnyPosition::start(game, &setup).expect("it is standard");
        let mut scenes = vec![Scene {
            position: position.clone(),
            last: None,
        }];
        for text in moves(game).split(' ') {
            let side = position.turn();
            let played = position.play(text).expect("the moves are legal");
            scenes.push(Scene {
                position: position.clone(),
                last: Some(LastMove { side, played }),
            });
        }
        scenes
    }

    /// The frames of a GIF as a viewer shows them, in RGB, with their times.
    fn decoded(gif: &[u8]) -> Vec<(Vec<[u8; 3]>, u16)> {
        let mut options = DecodeOptions::new();
        options.set_color_output(ColorOutput::RGBA);
        let mut decoder = options.read_info(gif).expect("a GIF");
        assert_eq!(decoder.repeat(), Repeat::Infinite);
        let (width, height) = (usize::from(decoder.width()), usize::from(decoder.height()));
        let mut screen = vec![[0; 3]; width * height];
        let mut frames = Vec::new();
        while let Some(frame) = decoder.read_next_frame().expect("a frame") {
            let (left, top) = (usize::from(frame.left), usize::from(frame.top));
            let rows = frame.buffer.chunks_exact(4 * usize::from(frame.width));
            for (y, row) in rows.enumerate() {
                for (x, pixel) in row.chunks_exact(4).enumerate() {
                    if pixel[3] != 0 {
                        screen[(top + y) * width + left + x] = [pixel[0], pixel[1], pixel[2]];
                    }
                }
            }
            frames.push((screen.clone(), frame.delay));
        }
        frames
    }

    #[test]
    fn every_game_moves_in_its_own_colours() {
        for game in GameKind::ALL {
            let scenes = scenes(*game);
            let gif = gif(&scenes).expect("it is drawn");
            let frames = decoded(&gif);
            assert_eq!(frames.len(), scenes.len(), "{game}");
            let times: Vec<u16> = frames.iter().map(|(_, time)| *time).collect();
            assert_eq!(
                (times[0], times[1], times[times.len() - 1]),
                (FIRST, PLY, LAST)
            );
            let numbers = [0, scenes.len() / 2, scenes.len() - 1];
            for (scene, (shown, _)) in numbers.map(|number| (&scenes[number], &frames[number])) {
                let drawn = pixels(scene).expect("it is drawn");
                let mut error = 0;
                let mut worst = 0;
                for (drawn, shown) in drawn.pixels().iter().zip(shown) {
                    let drawn = [drawn.red(), drawn.green(), drawn.blue()];
                    let distance = |number: usize| u64::from(drawn[number].abs_diff(shown[number]));
                    let distance = (0..3).map(distance).sum::<u64>();
                    error += distance;
                    worst += u64::from(distance > 60);
                }
                let number = drawn.pixels().len() as u64;
                assert!(error < 9 * number, "{game}: {error} of {number}");
                assert!(worst < number / 200, "{game}: {worst} of {number}");
            }
            // For a look at it: `MAWE_PICTURES=folder cargo nextest run -p mawe-server -E 'test(own_colours)'`.
            if let Ok(folder) = std::env::var("MAWE_PICTURES") {
                std::fs::write(format!("{folder}/match-{game}.gif"), &gif).expect("it is written");
            }
        }
    }

    #[test]
    fn the_longest_match_has_few_frames() {
        for plies in [0, 1, 2, 30, 198, 199, 200, 201, 400, 1_999, 100_000] {
            let shown: Vec<usize> = shown(plies).collect();
            assert!(shown.len() <= MAX_FRAMES, "{plies}: {}", shown.len());
            assert!(shown.len() > plies.min(MAX_FRAMES / 2), "{plies}");
            assert_eq!((shown[0], shown[shown.len() - 1]), (0, plies));
            assert!(shown.windows(2).all(|two| two[0] < two[1]));
        }
    }

    #[test]
    fn a_picture_has_few_bytes_and_ends_with_the_last_position() {
        const MAX: usize = 300_000;
        // Each frame of these changes nearly all of the board, as no frames of a match do.
        let boards = scenes(GameKind::Congkak);
        let (start, end) = (&boards[0], &boards[boards.len() - 1]);
        let scenes: Vec<Scene> = (0..20)
            .map(|number| if number % 2 == 0 { start } else { end })
            .cloned()
            .collect();
        let whole = gif(&scenes).expect("it is drawn");
        assert_eq!(decoded(&whole).len(), scenes.len());
        // That of the longest match would still be whole, or nearly.
        assert!(whole.len() < MAX_BYTES / 5, "{}", whole.len());
        let gif = gif_within(MAX, &scenes).expect("it is drawn");
        assert!(gif.len() <= MAX + TWO_FRAMES, "{}", gif.len());
        let frames = decoded(&gif);
        assert!(frames.len() < scenes.len(), "{}", frames.len());
        let end = pixels(end).expect("it is drawn");
        let (shown, time) = &frames[frames.len() - 1];
        assert_eq!(*time, LAST);
        let differing = end.pixels().iter().zip(shown).filter(|(drawn, shown)| {
            let drawn = [drawn.red(), drawn.green(), drawn.blue()];
            let mut pairs = drawn.iter().zip(*shown);
            pairs.any(|(one, other)| one.abs_diff(*other) > 60)
        });
        assert!(differing.count() < shown.len() / 100);
    }

    #[test]
    fn another_match_and_another_last_move_have_other_keys() {
        let boards = scenes(GameKind::Kalah);
        let whole = key(&boards);
        assert_eq!(whole, key(&boards.clone()));
        assert_ne!(whole, key(&boards[1..]));
        let mut other = boards.clone();
        other[1].last = None;
        assert_ne!(whole, key(&other));
        assert_eq!(gif(&[]), None);
    }
}
