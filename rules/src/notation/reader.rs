//! The reader of a file with many games: its place in the text, and the next game after one with an error.

use super::{Line, NotationError, NotationFault};

/// A fault and its offset in bytes.
pub(super) type Fault = (usize, NotationFault);

/// A place in the text of a file.
#[derive(Clone, Debug)]
pub(super) struct Reader<'a> {
    pub(super) text: &'a [u8],
    pub(super) at: usize,
    /// A line before the reader, kept so that an error does not count the lines from the beginning.
    line: Line,
}

impl<'a> Reader<'a> {
    /// Begins at the first character of a text.
    pub(super) fn new(text: &'a [u8]) -> Self {
        let line = Line::first(text);
        Self {
            text,
            at: line.start,
            line,
        }
    }

    /// Reads the next game. After a fault the reader goes on at the offset that `next_game` finds.
    pub(super) fn game<G>(
        &mut self,
        read: impl FnOnce(&mut Self) -> Result<Option<G>, Fault>,
        next_game: impl FnOnce(&Self) -> usize,
    ) -> Option<Result<G, NotationError>> {
        match read(self) {
            Ok(game) => game.map(Ok),
            Err((at, why)) => {
                let error = self.line.fault(self.text, at, why);
                self.at = next_game(self);
                self.line = self.line.of(self.text, self.at);
                Some(Err(error))
            }
        }
    }

    /// Returns the next byte.
    pub(super) fn peek(&self) -> Option<u8> {
        self.text.get(self.at).copied()
    }

    /// Returns the rest of the text.
    pub(super) fn rest(&self) -> &'a [u8] {
        &self.text[self.at..]
    }

    /// Moves on to the first byte that is not skipped, or to the end.
    pub(super) fn skip_while(&mut self, is_skipped: impl Fn(u8) -> bool) {
        let skipped = self.rest().iter().take_while(|byte| is_skipped(**byte));
        self.at += skipped.count();
    }

    /// Returns the offset of a text from this offset on, or the end.
    pub(super) fn find(&self, from: usize, wanted: &[u8]) -> usize {
        let mut windows = self.text[from..].windows(wanted.len());
        let found = windows.position(|window| window == wanted);
        found.map_or(self.text.len(), |offset| from + offset)
    }
}
