//! The meaning of scores, here and in the page: the page's numbers are made from those of this crate.

use std::fmt::Write;
use std::path::Path;

use mawe_ai::search::{WIN, WIN_BOUND};
use mawe_ai::verdict::{ACCURACY_CURVE, Mistake, accuracy, expected, scale};
use mawe_rules::GameKind;

#[test]
fn the_page_has_the_same_numbers() {
    let mut text = String::from(
        "// @ts-check\n// Made by `MAWE_SCALES=write cargo test -p mawe-ai --test verdict`: the numbers that give scores their meaning.\n\n",
    );
    text += "/** The score, in hundredths of the game's unit, with which a side gets 73 % of the points. @type {Record<string, number>} */\n";
    text += "export const SCALES = {\n";
    for &kind in GameKind::ALL {
        writeln!(text, "  {}: {},", kind.id(), scale(kind)).expect("a string");
    }
    text += "};\n\n/** The loss, as a part of a point, from which a move has a name, the heaviest first. */\n";
    text += "export const MISTAKES = /** @type {const} */ ([\n";
    for mistake in Mistake::ALL.into_iter().rev() {
        let name = format!("{mistake:?}").to_lowercase();
        writeln!(text, "  [\"{name}\", {}],", mistake.least_loss()).expect("a string");
    }
    let [factor, exponent, shift] = ACCURACY_CURVE;
    writeln!(text, "]);\n\n/** The score of a win now; one in n plies scores n less. */\nexport const WIN = {WIN};\n").expect("a string");
    writeln!(
        text,
        "/** The least score of a win. */\nexport const WIN_BOUND = {WIN_BOUND};\n"
    )
    .expect("a string");
    writeln!(
        text,
        "/** The accuracy of a move falls with its loss by this curve. */\nexport const ACCURACY = {{ factor: {factor}, exponent: {exponent}, shift: {shift} }};"
    )
    .expect("a string");
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../static/review/scales.js");
    if std::env::var_os("MAWE_SCALES").is_some() {
        std::fs::write(&path, &text).expect("the file can be written");
    }
    let page = std::fs::read_to_string(&path).expect("the file is there");
    assert!(
        page == text,
        "make static/review/scales.js anew; its first line says how"
    );
}

#[test]
fn a_score_is_an_expected_result_of_its_side() {
    for &kind in GameKind::ALL {
        let expects = |score, proven| expected(kind, score, proven);
        assert_eq!(expects(0, false), 0.5);
        let scale = i32::try_from(scale(kind)).expect("it is small");
        assert!((expects(scale, false) - 0.731).abs() < 0.001);
        assert!((expects(scale, false) + expects(-scale, false) - 1.0).abs() < 1e-12);
        assert_eq!(
            [1, 0, -1].map(|score| expects(score, true)),
            [1.0, 0.5, 0.0]
        );
        assert_eq!(expects(WIN - 7, false), 1.0);
        assert_eq!(expects(7 - WIN, false), 0.0);
    }
}

#[test]
fn a_loss_has_a_name_and_an_accuracy() {
    let names = [0.0, 0.049, 0.05, 0.1, 0.149, 0.15, 1.0].map(Mistake::of_loss);
    let (inaccuracy, mistake, blunder) = (Mistake::Inaccuracy, Mistake::Mistake, Mistake::Blunder);
    assert_eq!(
        names,
        [
            None,
            None,
            Some(inaccuracy),
            Some(mistake),
            Some(mistake),
            Some(blunder),
            Some(blunder)
        ]
    );
    assert_eq!((accuracy(0.0), accuracy(1.0)), (1.0, 0.0));
    assert!(accuracy(0.1) > accuracy(0.2));
}
