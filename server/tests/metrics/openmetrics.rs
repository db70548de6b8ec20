//! A strict reader of the text of a scrape (OpenMetrics 1.0), for the tests.

use std::collections::{BTreeMap, BTreeSet};

/// A scrape: the families by the name that they have in queries.
#[derive(Debug)]
pub(crate) struct Scrape {
    pub(crate) families: BTreeMap<String, Family>,
}

#[derive(Debug)]
pub(crate) struct Family {
    pub(crate) kind: String,
    pub(crate) help: String,
    pub(crate) samples: Vec<Sample>,
}

#[derive(Debug, PartialEq)]
pub(crate) struct Sample {
    /// The part of the name behind that of the family.
    pub(crate) suffix: String,
    pub(crate) labels: BTreeMap<String, String>,
    pub(crate) value: f64,
}

impl Scrape {
    /// Reads a scrape; fails on everything that the format does not permit.
    #[track_caller]
    pub(crate) fn read(text: &str) -> Scrape {
        let text = text.strip_suffix("# EOF\n").expect("it has an end");
        let mut families: Vec<(String, Family)> = Vec::new();
        for line in text.lines() {
            if let Some(rest) = line.strip_prefix("# HELP ") {
                let (name, help) = rest.split_once(' ').expect("a help has a text");
                assert!(is_name(name), "{line}");
                let family = Family {
                    kind: String::new(),
                    help: help.to_owned(),
                    samples: Vec::new(),
                };
                families.push((name.to_owned(), family));
                continue;
            }
            let (name, family) = families.last_mut().expect("a help comes first");
            if let Some(rest) = line.strip_prefix("# TYPE ") {
                let (of, kind) = rest.split_once(' ').expect("a type has a name");
                assert!(
                    of == name && family.kind.is_empty() && family.samples.is_empty(),
                    "{line}"
                );
                family.kind = kind.to_owned();
                continue;
            }
            assert!(!line.starts_with('#'), "{line}");
            let sample = sample(line, name);
            let suffixes: &[&str] = match &*family.kind {
                "counter" => &["_total"],
                "gauge" => &[""],
                "histogram" => &["_bucket", "_sum", "_count"],
                "info" => &["_info"],
                kind => panic!("{name} is a {kind}"),
            };
            assert!(suffixes.contains(&&*sample.suffix), "{line}");
            let is_new = family
                .samples
                .iter()
                .all(|known| (&known.suffix, &known.labels) != (&sample.suffix, &sample.labels));
            assert!(is_new, "twice: {line}");
            assert!(
                family.kind == "gauge" || sample.value >= 0.0,
                "a count below nought: {line}"
            );
            family.samples.push(sample);
        }
        let names: BTreeSet<&String> = families.iter().map(|(name, _)| name).collect();
        assert_eq!(names.len(), families.len(), "a family comes twice");
        let named = families.into_iter().map(|(name, family)| {
            let name = match &*family.kind {
                "counter" => format!("{name}_total"),
                "info" => format!("{name}_info"),
                _ => name,
            };
            family.check(&name);
            (name, family)
        });
        Scrape {
            families: named.collect(),
        }
    }

    /// Returns the sum of the values of a counter or gauge, or of the counts of a histogram, over the samples with these labels.
    #[track_caller]
    pub(crate) fn sum(&self, name: &str, labels: &[(&str, &str)]) -> f64 {
        let family = self.families.get(name);
        let family = family.unwrap_or_else(|| panic!("{name} is not in the scrape"));
        let has = |sample: &&Sample| {
            let mut labels = labels.iter();
            labels.all(|(key, value)| sample.labels.get(*key).is_some_and(|found| found == value))
        };
        let samples = family.samples.iter().filter(has);
        samples
            .filter(|sample| !["_bucket", "_sum"].contains(&&*sample.suffix))
            .map(|sample| sample.value)
            .sum()
    }
}

impl Family {
    /// Checks the promises of the type.
    #[track_caller]
    fn check(&self, name: &str) {
        assert!(self.help.len() > 5, "{name} has no help");
        if self.kind != "histogram" {
            return;
        }
        // The last bucket of each set of labels has everything, and none has fewer values than a smaller one.
        let mut last: BTreeMap<BTreeMap<String, String>, (f64, f64)> = BTreeMap::new();
        for sample in &self.samples {
            let mut labels = sample.labels.clone();
            match (&*sample.suffix, labels.remove("le")) {
                ("_bucket", Some(bound)) => {
                    let bound = match &*bound {
                        "+Inf" => f64::INFINITY,
                        bound => bound.parse().expect("a number"),
                    };
                    let now = (bound, sample.value);
                    let before = last.insert(labels, now).unwrap_or((f64::MIN, 0.0));
                    assert!(before.0 < now.0 && before.1 <= now.1, "{name}: {sample:?}");
                }
                ("_sum", None) => {}
                ("_count", None) => {}
                _ => panic!("{name}: {sample:?}"),
            }
        }
        for sample in &self.samples {
            if sample.suffix == "_count" {
                let whole = last.get(&sample.labels);
                assert_eq!(whole, Some(&(f64::INFINITY, sample.value)), "{name}");
            }
        }
    }
}

fn is_name(text: &str) -> bool {
    let is_letter = |byte: u8| byte.is_ascii_lowercase() || byte == b'_';
    text.bytes()
        .enumerate()
        .all(|(place, byte)| is_letter(byte) || (place > 0 && byte.is_ascii_digit()))
}

fn sample(line: &str, family: &str) -> Sample {
    let rest = line.strip_prefix(family);
    let rest = rest.unwrap_or_else(|| panic!("{line:?} is no sample of {family}"));
    let end = rest.find(['{', ' ']).expect("a sample has a value");
    let (suffix, rest) = rest.split_at(end);
    let (labels, value) = match rest.strip_prefix('{') {
        Some(rest) => {
            let (labels, value) = rest.rsplit_once("} ").expect("labels end");
            (labels, value)
        }
        None => ("", &rest[1..]),
    };
    let value = value
        .parse()
        .unwrap_or_else(|_| panic!("{line:?}: {value:?} is no number"));
    let mut read = BTreeMap::new();
    let mut left = labels;
    while !left.is_empty() {
        let (key, rest) = left.split_once("=\"").expect("a label has a value");
        assert!(is_name(key), "{line}");
        let (value, rest) = rest.split_once('"').expect("a value ends");
        assert!(
            !value.contains('\\'),
            "no label of ours needs an escape: {line}"
        );
        let is_new = read.insert(key.to_owned(), value.to_owned()).is_none();
        assert!(is_new, "{line}");
        left = rest.strip_prefix(',').unwrap_or(rest);
        assert!(left.len() < rest.len() || rest.is_empty(), "{line}");
    }
    Sample {
        suffix: suffix.to_owned(),
        labels: read,
        value,
    }
}

#[test]
fn a_wrong_scrape_is_noticed() {
    let fails = |text: &str| std::panic::catch_unwind(|| Scrape::read(text)).is_err();
    let good = "# HELP a_b Some help.\n# TYPE a_b counter\na_b_total{x=\"y\"} 1.0\n# EOF\n";
    assert!(!fails(good));
    for (from, to) in [
        ("# EOF\n", ""),
        ("counter", "gauge"),
        ("counter", "summary"),
        ("# HELP a_b Some help.\n", ""),
        ("Some help.", "."),
        ("} 1.0", "} -1.0"),
        ("} 1.0", "} one"),
        ("# EOF", "a_b_total{x=\"y\"} 2.0\n# EOF"),
        ("# EOF", "c 2.0\n# EOF"),
    ] {
        assert!(fails(&good.replace(from, to)), "{from} -> {to}");
    }
}
