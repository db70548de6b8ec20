//! The colour of the operator for links and buttons, in the shades in which it can be read on the page's grounds.

use std::fmt;
use std::str::FromStr;

/// The contrast that WCAG 2.2 asks of text.
const CONTRAST: f64 = 4.5;

/// The steps of a shade between a colour and black or white.
const STEPS: u16 = 64;

/// A theme of the page: its colours as `static/css/base.css` has them.
struct Theme {
    /// The grounds on which links stand.
    grounds: [Rgb; 3],
    /// The ground into which the colour is mixed for a soft one, and the share of the colour in it.
    soft: (Rgb, f64),
    /// The end to which a colour is shaded that cannot be read.
    end: Rgb,
}

const LIGHT: Theme = Theme {
    grounds: [
        Rgb([0xf2, 0xeb, 0xdf]),
        Rgb([0xfb, 0xf7, 0xef]),
        Rgb([0xe9, 0xdf, 0xce]),
    ],
    soft: (Rgb([0xfb, 0xf7, 0xef]), 0.18),
    end: Rgb([0, 0, 0]),
};

const DARK: Theme = Theme {
    grounds: [
        Rgb([0x1b, 0x17, 0x14]),
        Rgb([0x26, 0x20, 0x1b]),
        Rgb([0x1f, 0x1a, 0x16]),
    ],
    soft: (Rgb([0x26, 0x20, 0x1b]), 0.22),
    end: Rgb([0xff, 0xff, 0xff]),
};

/// The colours of text on the colour: the lightest and the darkest of the page.
const INKS: [Rgb; 2] = [Rgb([0xff, 0xf8, 0xee]), Rgb([0x22, 0x15, 0x0b])];

/// A colour of the sRGB space.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Rgb([u8; 3]);

impl fmt::Display for Rgb {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [red, green, blue] = self.0;
        write!(f, "#{red:02x}{green:02x}{blue:02x}")
    }
}

impl Rgb {
    /// The relative luminance of WCAG.
    fn luminance(self) -> f64 {
        let linear = |channel: u8| {
            let share = f64::from(channel) / 255.0;
            if share <= 0.040_45 {
                share / 12.92
            } else {
                ((share + 0.055) / 1.055).powf(2.4)
            }
        };
        let [red, green, blue] = self.0.map(linear);
        0.2126 * red + 0.7152 * green + 0.0722 * blue
    }

    /// The contrast of two colours, from 1 to 21.
    fn contrast(self, other: Rgb) -> f64 {
        let (one, two) = (self.luminance(), other.luminance());
        (one.max(two) + 0.05) / (one.min(two) + 0.05)
    }

    /// Returns the colour with a share of another in it.
    fn mixed(self, other: Rgb, share: f64) -> Rgb {
        let mut mixed = [0; 3];
        for (i, channel) in mixed.iter_mut().enumerate() {
            let (from, to) = (f64::from(self.0[i]), f64::from(other.0[i]));
            *channel = (from + (to - from) * share).round() as u8;
        }
        Rgb(mixed)
    }
}

/// The colour of the operator.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Colour(Rgb);

/// The colours of a theme that are made of the operator's.
struct Shades {
    accent: Rgb,
    ink: Rgb,
    soft: Rgb,
}

impl Theme {
    /// Returns the nearest shade that can be read on every ground, also on the soft one made of it, with the colour of text on it.
    fn shades(&self, colour: Rgb) -> Shades {
        let (ground, share) = self.soft;
        let shades = (0..=STEPS).map(|step| {
            let accent = colour.mixed(self.end, f64::from(step) / f64::from(STEPS));
            let ink = if INKS[0].contrast(accent) >= INKS[1].contrast(accent) {
                INKS[0]
            } else {
                INKS[1]
            };
            Shades {
                accent,
                ink,
                soft: ground.mixed(accent, share),
            }
        });
        let is_readable = |shades: &Shades| {
            let behind = self.grounds.iter().chain([&shades.soft]);
            let mut pairs = behind.chain([&shades.ink]);
            pairs.all(|other| shades.accent.contrast(*other) >= CONTRAST)
        };
        let mut readable = shades.filter(is_readable);
        readable
            .next()
            .expect("black and white can be read on every ground")
    }
}

impl Colour {
    /// Returns the style sheet that puts the colour in the place of the page's own.
    #[must_use]
    pub fn style_sheet(self) -> String {
        let rule = |selector: &str, theme: &Theme| {
            let Shades { accent, ink, soft } = theme.shades(self.0);
            format!("{selector}{{--accent:{accent};--accent-ink:{ink};--accent-soft:{soft}}}")
        };
        format!(
            "{}\n{}\n@media screen and (prefers-color-scheme:dark){{{}}}\n",
            rule(":root", &LIGHT),
            rule(":root[data-theme=\"dark\"]", &DARK),
            rule(":root:not([data-theme=\"light\"])", &DARK)
        )
    }
}

impl fmt::Display for Colour {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl FromStr for Colour {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Colour, &'static str> {
        const ADVICE: &str = "a colour is # and six digits from 0 to f, like #2a6f4e";
        let digits = text.strip_prefix('#').ok_or(ADVICE)?;
        if digits.len() != 6 || !digits.bytes().all(|byte| byte.is_ascii_hexdigit()) {
            return Err(ADVICE);
        }
        let number = u32::from_str_radix(digits, 16).map_err(|_| ADVICE)?;
        let [_, red, green, blue] = number.to_be_bytes();
        Ok(Colour(Rgb([red, green, blue])))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_colour_is_six_digits() {
        for text in ["#2a6f4e", "#2A6F4E"] {
            let colour: Colour = text.parse().expect("a colour");
            assert_eq!(colour.to_string(), "#2a6f4e");
        }
        for text in [
            "", "#", "2a6f4e", "#2a6f4", "#2a6f4e0", "#+a6f4e", "#2a6f4g", "green", "#2a6f4é",
        ] {
            let fault = text.parse::<Colour>().expect_err("it is none");
            assert!(fault.contains("#2a6f4e"), "{text}");
        }
    }

    #[test]
    fn the_contrast_is_that_of_wcag() {
        let (black, white) = (Rgb([0, 0, 0]), Rgb([255, 255, 255]));
        assert!((black.contrast(white) - 21.0).abs() < 1e-9);
        // The lightest grey that can be read on white, and the next one.
        assert!(Rgb([0x76, 0x76, 0x76]).contrast(white) >= CONTRAST);
        assert!(Rgb([0x77, 0x77, 0x77]).contrast(white) < CONTRAST);
    }

    #[test]
    fn every_colour_is_shown_in_a_shade_that_can_be_read() {
        let steps: Vec<u8> = (0..=255).step_by(51).collect();
        for red in &steps {
            for green in &steps {
                for blue in &steps {
                    let colour = Rgb([*red, *green, *blue]);
                    for (theme, ink) in [
                        (&LIGHT, Rgb([0x2d, 0x26, 0x20])),
                        (&DARK, Rgb([0xef, 0xe6, 0xd8])),
                    ] {
                        let Shades {
                            accent,
                            ink: on,
                            soft,
                        } = theme.shades(colour);
                        for ground in theme.grounds.into_iter().chain([soft, on]) {
                            let contrast = accent.contrast(ground);
                            assert!(contrast >= CONTRAST, "{colour}: {accent} on {ground}");
                        }
                        assert!(soft.contrast(ink) >= CONTRAST, "{colour}: text on {soft}");
                    }
                }
            }
        }
    }

    #[test]
    fn a_colour_that_can_be_read_stays_as_it_is() {
        let green = Rgb([0x2a, 0x6f, 0x4e]);
        let shown = LIGHT.shades(green).accent;
        let sheet = Colour(green).style_sheet();
        assert!(sheet.contains(&format!("--accent:{shown};")), "{sheet}");
        let blue = Rgb([0x1d, 0x3f, 0x8f]);
        assert_eq!(LIGHT.shades(blue).accent, blue);
        assert_ne!(DARK.shades(blue).accent, blue);
    }

    /// The grounds are those of the page.
    #[test]
    fn the_themes_are_those_of_the_page() {
        let sheet = include_str!("../../../../static/css/base.css");
        let (light, dark) = sheet
            .split_once(":root[data-theme=\"dark\"]")
            .expect("both themes");
        for (theme, text) in [(&LIGHT, light), (&DARK, dark)] {
            for (name, ground) in ["ground", "panel", "sunken"].iter().zip(theme.grounds) {
                assert!(
                    text.contains(&format!("--{name}: {ground};")),
                    "{name} {ground}"
                );
            }
        }
        for ink in INKS {
            assert!(sheet.contains(&format!("--accent-ink: {ink};")), "{ink}");
        }
    }
}
