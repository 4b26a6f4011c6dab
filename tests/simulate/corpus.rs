//! A folder of recordings, named by `JADOUBE_CORPUS`, through the emulator. Without it: nothing.

use std::io::Read;

use jadoube::emulator::Recording;
use jadoube::tick::Span;

use crate::common::{Told, heard, play, worst_disagreement};

#[test]
fn every_recording_plays() {
    let Some(folder) = std::env::var_os("JADOUBE_CORPUS") else { return };
    let mut worst = Vec::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if !path.to_string_lossy().ends_with(".jsonl.gz") {
            continue;
        }
        let mut text = String::new();
        flate2::read::MultiGzDecoder::new(std::fs::File::open(&path).unwrap())
            .read_to_string(&mut text)
            .unwrap();
        let recording = Recording::parse(&text).unwrap();
        let said = Told::of(recording.reports().iter().map(|(_, report)| report));
        let short = recording.clone().compressed(Span::from_ms(3_000));
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        let before = said_disagreement(&recording);
        for (kind, recording) in [("whole", &recording), ("short", &short)] {
            let heard = heard(&play(recording));
            let told = Told::of(heard.iter().map(|(_, report)| report));
            assert_eq!((&told.squares, &told.wood), (&said.squares, &said.wood), "{name} {kind}");
            assert_eq!(told.levers.len(), said.levers.len(), "{name} {kind}");
            worst.push((worst_disagreement(&heard), before, kind, name.clone()));
        }
    }
    worst.sort_unstable();
    println!("{} played; clock against host, ms: median {}", worst.len(), worst[worst.len() / 2].0);
    // A recording may hold a penalty or a clock that was set: then it disagrees by itself.
    for (ms, before, kind, name) in
        worst.iter().rev().filter(|(ms, before, ..)| *ms > 1_200.max(before + 100))
    {
        println!("{ms} (recording itself {before}) {kind} {name}");
    }
}

fn said_disagreement(recording: &Recording) -> u64 {
    worst_disagreement(recording.reports())
}
