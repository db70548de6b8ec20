//! Pixels of a drawing. They take a tenth of a second on a busy machine, so never on an async thread.

use axum::body::Bytes;
use resvg::tiny_skia::{Pixmap, Transform};
use resvg::usvg::{Options, Tree};

use super::canvas::{Drawing, HEIGHT, WIDTH};

/// Returns the PNG of a card; `None` if the renderer refuses it, which no drawing of ours gives a reason for.
pub(crate) fn png(drawing: &Drawing) -> Option<Bytes> {
    let mut pixels = Pixmap::new(WIDTH, HEIGHT)?;
    paint(drawing, &mut pixels)?;
    pixels.encode_png().ok().map(Bytes::from)
}

/// Paints a drawing over pixels, as wide as they are.
pub(super) fn paint(drawing: &Drawing, pixels: &mut Pixmap) -> Option<()> {
    let tree = Tree::from_str(drawing.as_str(), &Options::default()).ok()?;
    #[allow(clippy::cast_precision_loss, reason = "pictures are small")]
    let scale = pixels.width() as f32 / tree.size().width();
    let scale = Transform::from_scale(scale, scale);
    resvg::render(&tree, scale, &mut pixels.as_mut());
    Some(())
}

#[cfg(test)]
mod tests {
    use mawe_rules::GameKind;

    use super::*;
    use crate::pictures::{drawing, sample};

    #[test]
    fn every_game_becomes_a_png_of_the_size_of_a_card() {
        for game in GameKind::ALL {
            let (position, last) = sample(*game);
            let png = png(&drawing(&position, last)).expect("it is drawn");
            let pixels = Pixmap::decode_png(&png).expect("a PNG");
            assert_eq!((pixels.width(), pixels.height()), (WIDTH, HEIGHT));
            let first = pixels.pixels()[0];
            assert!(
                pixels.pixels().iter().any(|pixel| *pixel != first),
                "{game}"
            );
            // For a look at it: `MAWE_PICTURES=folder cargo nextest run -p mawe-server -E 'test(size_of_a_card)'`.
            if let Ok(folder) = std::env::var("MAWE_PICTURES") {
                std::fs::write(format!("{folder}/card-{game}.png"), &png).expect("it is written");
            }
        }
    }
}
