//! Constants of the simulated room that fit the labels of real hands.
//!
//! In: labels of any number of recordings. Out: the file of constants with the values that labels
//! show put in their place, and beside each how many samples it rests on.

use super::ply::{Confidence, Label};
use super::stream::Pace;

/// The constants as they are where labels say nothing.
const DEFAULTS: &str = include_str!("../../fixtures/room/hands.toml");
/// Fewer samples than this say nothing.
const ENOUGH: usize = 20;
/// Short dwells are missed by a slower board.
const FINE_SCAN_MS: u64 = 50;
/// A piece that stays so long is not sliding.
const RESTS_MS: u64 = 300;

/// A file of constants.
#[derive(Clone, Debug)]
pub struct Fitted {
    /// The file.
    pub text: String,
    /// The keys that labels have told.
    pub told: Vec<&'static str>,
    /// The keys of which there were too few samples, with their number.
    pub few: Vec<(&'static str, usize)>,
}

/// How values of a key are spread between its least and most.
#[derive(Clone, Copy)]
enum Shape {
    /// Alike.
    Even,
    /// The product of two even ones: short times more often.
    Short,
}

impl Shape {
    /// Where a tenth, a half and nine tenths of the values lie, between 0 and 1.
    const fn quantiles(self) -> [f64; 3] {
        match self {
            Shape::Even => [0.1, 0.5, 0.9],
            Shape::Short => [0.020_5, 0.186_7, 0.590_2],
        }
    }
}

/// A time, and the scan that made it uncertain.
#[derive(Clone, Copy)]
struct Sample {
    ms: f64,
    scan: f64,
}

/// What labels say of one key.
struct Told {
    key: &'static str,
    value: String,
    samples: usize,
}

/// Fits the constants to labels.
#[must_use]
pub fn fit(labels: &[Label]) -> Fitted {
    let mut told = Vec::new();
    paces(labels, &mut told);
    captures(labels, &mut told);
    touches(labels, &mut told);
    write(&told)
}

fn usable(label: &&Label) -> bool {
    label.legal && label.incidents.is_empty() && label.confidence >= Confidence::Medium
}

fn scan(label: &Label) -> f64 {
    label.scan_ms.unwrap_or(0) as f64
}

fn paces(labels: &[Label], out: &mut Vec<Told>) {
    let keys = [
        (Pace::Blitz, ["pace.blitz.lift_to_land_ms", "pace.blitz.land_to_press_ms", "pace.blitz.think_ms"]),
        (Pace::Rapid, ["pace.rapid.lift_to_land_ms", "pace.rapid.land_to_press_ms", "pace.rapid.think_ms"]),
        (
            Pace::Classical,
            ["pace.classical.lift_to_land_ms", "pace.classical.land_to_press_ms", "pace.classical.think_ms"],
        ),
    ];
    let least = number("player.think_least_ms");
    for (pace, [lift, press, think]) in keys {
        let all = || labels.iter().filter(usable).filter(move |label| label.pace == pace);
        let plain = |label: &&Label| label.kind == "quiet" && label.touched.is_empty();
        let sample = |ms: i64, label: &Label| Sample { ms: ms as f64, scan: scan(label) };
        let carried: Vec<Sample> =
            all().filter(plain).filter_map(|l| Some(sample(l.lift_to_land_ms?, l))).collect();
        // Lift and landing are both late by part of a scan.
        out.push(spread(lift, Shape::Short, &carried, 1.106));
        let waited = |label: &&Label| !label.before_press && label.touched.is_empty();
        let pressed: Vec<Sample> = all()
            .filter(waited)
            .filter_map(|l| Some(sample(l.land_to_press_ms?, l)))
            // The landing alone is late, by half a scan on the average.
            .map(|s| Sample { ms: s.ms + s.scan / 2.0, ..s })
            .collect();
        out.push(spread(press, Shape::Short, &pressed, 0.8));
        // Later in the game it is the clock that says how long one may think.
        let most_left = all().filter_map(|l| l.left_ms).max().unwrap_or(0);
        let free = |label: &&Label| label.left_ms.is_some_and(|left| left * 4 >= most_left * 3);
        let thought = all().filter(free).filter(|l| !l.before_press && l.handled.is_empty());
        let thought: Vec<f64> = thought.filter_map(|l| Some(l.think_ms? as f64 - least)).collect();
        out.push(lower_half(think, &thought));
    }
}

fn captures(labels: &[Label], out: &mut Vec<Told>) {
    let all = || labels.iter().filter(usable).filter(|label| label.kind == "capture");
    let with = |order: &str| all().filter(|l| l.order.as_deref() == Some(order)).count();
    let (on_top, victim, own) = (with("on-top"), with("victim-first"), with("own-first"));
    let aside = all().filter(|l| l.order.as_deref() == Some("own-first") && !l.touched.is_empty()).count();
    let samples = on_top + victim + own;
    let parts = [
        ("capture.on_top_parts", on_top),
        ("capture.victim_first_parts", victim),
        ("capture.perhaps_set_aside_parts", aside),
        ("capture.own_first_parts", own - aside),
    ];
    out.extend(parts.map(|(key, n)| Told { key, value: n.to_string(), samples }));
    let of = |order: &'static str| {
        all().filter(move |l| l.order.as_deref() == Some(order) && l.touched.is_empty())
    };
    let between = |from: Option<u64>, to: Option<u64>| Some(to? as f64 - from? as f64);
    let to_land: Vec<Sample> = of("own-first")
        .filter_map(|l| Some(Sample { ms: between(l.t_victim_ms, l.t_land_ms)?, scan: scan(l) }))
        .collect();
    out.push(spread("capture.victim_to_land_ms", Shape::Even, &to_land, 1.106));
    let reached: Vec<(f64, Sample)> = of("victim-first")
        .filter_map(|l| {
            let ms = between(l.t_victim_ms, l.t_lift_ms)?;
            Some((f64::from(l.distance), Sample { ms, scan: scan(l) }))
        })
        .collect();
    reach(&reached, out);
}

/// A hand reaches further the longer it takes: a line through the samples, and what is beyond it.
fn reach(samples: &[(f64, Sample)], out: &mut Vec<Told>) {
    let n = samples.len();
    let mean = |of: &dyn Fn(&(f64, Sample)) -> f64| samples.iter().map(of).sum::<f64>() / n.max(1) as f64;
    let (x, y) = (mean(&|s| s.0), mean(&|s| s.1.ms));
    let (xx, xy) = (mean(&|s| (s.0 - x).powi(2)), mean(&|s| (s.0 - x) * (s.1.ms - y)));
    let slope = if xx > 0.0 { (xy / xx).max(0.0) } else { 0.0 };
    let rest: Vec<Sample> =
        samples.iter().map(|(d, s)| Sample { ms: s.ms - slope * d, scan: s.scan }).collect();
    let (low, high) = ends(Shape::Short, &rest, 1.106);
    let told = [
        ("reach.base_ms", low),
        ("reach.per_square_ms", slope),
        ("capture.victim_to_own_more_ms", high - low),
    ];
    out.extend(told.map(|(key, ms)| Told { key, value: format!("{ms:.0}"), samples: n }));
}

fn touches(labels: &[Label], out: &mut Vec<Told>) {
    let (mut slides, mut rests) = (Vec::new(), Vec::new());
    for label in labels.iter().filter(usable) {
        let fine = label.scan_ms.is_some_and(|scan| scan <= FINE_SCAN_MS);
        let end = label.t_land_ms.unwrap_or(0);
        for touch in label.touched.iter().filter(|touch| touch.t_ms < end) {
            let Some(dwell) = touch.dwell_ms else { continue };
            let sample = Sample { ms: dwell as f64, scan: scan(label) };
            match dwell >= RESTS_MS {
                true if label.kind != "castling" => rests.push(sample),
                false if touch.on_the_way && fine => slides.push(sample),
                _ => {}
            }
        }
    }
    out.push(spread("slide.dwell_ms", Shape::Even, &slides, 1.106));
    out.push(spread("rest.dwell_ms", Shape::Short, &rests, 1.106));
}

/// The least and the most that give samples spread like these.
fn spread(key: &'static str, shape: Shape, samples: &[Sample], blur: f64) -> Told {
    let (low, high) = ends(shape, samples, blur);
    Told { key, value: format!("[{low:.0}, {high:.0}]"), samples: samples.len() }
}

/// `blur` scans lie between a tenth and nine tenths of what the scan alone makes of one moment.
fn ends(shape: Shape, samples: &[Sample], blur: f64) -> (f64, f64) {
    let times: Vec<f64> = samples.iter().map(|s| s.ms).collect();
    let [tenth, half, most] = quantiles(&times);
    let scans = samples.iter().map(|s| (s.scan * blur).powi(2)).sum::<f64>() / samples.len().max(1) as f64;
    let seen = most - tenth;
    let wide = (seen * seen - scans).max(0.0).sqrt();
    let [a, b, c] = shape.quantiles();
    let width = wide / (c - a);
    let low = (half - width * b).max(0.0);
    (low, low + width)
}

/// As [`spread`], from the lower half alone: the upper is cut by something else.
fn lower_half(key: &'static str, samples: &[f64]) -> Told {
    let [tenth, half, _] = quantiles(samples);
    let [a, b, _] = Shape::Short.quantiles();
    let width = (half - tenth).max(0.0) / (b - a);
    let low = (half - width * b).max(0.0);
    Told { key, value: format!("[{low:.0}, {:.0}]", low + width), samples: samples.len() }
}

fn quantiles(samples: &[f64]) -> [f64; 3] {
    let mut sorted = samples.to_vec();
    sorted.sort_by(f64::total_cmp);
    let at = |tenths: usize| {
        let index = (sorted.len() * tenths / 10).min(sorted.len().saturating_sub(1));
        sorted.get(index).copied().unwrap_or(0.0)
    };
    [at(1), at(5), at(9)]
}

/// A single number of the defaults.
fn number(key: &str) -> f64 {
    let found = keys(DEFAULTS).find(|(name, _)| name == key);
    found.and_then(|(_, line)| line.split('=').nth(1)?.trim().parse().ok()).unwrap_or(0.0)
}

/// The lines of a file of constants with the whole name of the key that each sets, if it does.
fn keys(text: &str) -> impl Iterator<Item = (String, &str)> {
    let mut section = String::new();
    text.lines().map(move |line| {
        if let Some(name) = line.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')) {
            name.clone_into(&mut section);
        }
        let key = line.split_once(" = ").filter(|_| !line.starts_with('#')).map(|(key, _)| key);
        (key.map_or(String::new(), |key| format!("{section}.{key}")), line)
    })
}

fn write(told: &[Told]) -> Fitted {
    let mut out = Fitted { text: String::new(), told: Vec::new(), few: Vec::new() };
    out.text.push_str("# Fitted to labels of recordings. A key without a note is not told by labels.\n");
    for (name, line) in keys(DEFAULTS) {
        let found = told.iter().find(|told| told.key == name);
        let line = match found {
            None => line.to_owned(),
            Some(told) if told.samples < ENOUGH => {
                out.few.push((told.key, told.samples));
                format!("{line} # default: {} samples, {ENOUGH} are needed", told.samples)
            }
            Some(told) => {
                out.told.push(told.key);
                let key = line.split(" = ").next().unwrap_or_default();
                format!("{key} = {} # {} samples", told.value, told.samples)
            }
        };
        out.text.push_str(&line);
        out.text.push('\n');
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_key_that_labels_tell_is_a_key_of_the_file() {
        let fitted = fit(&[]);
        assert!(fitted.told.is_empty());
        let mut told = Vec::new();
        paces(&[], &mut told);
        captures(&[], &mut told);
        touches(&[], &mut told);
        assert_eq!(fitted.few.len(), told.len());
        assert!(number("player.think_least_ms") > 0.0);
    }

    #[test]
    fn ends_are_found_again_under_a_scan() {
        // An even spread from 100 to 500, read by a scan of 100.
        let blur = |n: usize| (n * 37 % 100) as f64 - (n * 61 % 100) as f64;
        let samples: Vec<Sample> =
            (0..2_000).map(|n| Sample { ms: 100.0 + (n * 7 % 400) as f64 + blur(n), scan: 100.0 }).collect();
        let (low, high) = ends(Shape::Even, &samples, 1.106);
        assert!((low - 100.0).abs() < 25.0 && (high - 500.0).abs() < 25.0, "{low} {high}");
    }
}
