//! What a journal keeps, and what it refuses.

use super::*;

/// The header of a run from nine positions.
pub(crate) fn header() -> Header {
    Header {
        format: FORMAT,
        program: "tuner 0".into(),
        profile: "p".into(),
        profile_sha256: "aa".into(),
        table: vec!["x 0..=1 1".into(), "y 0..=3 2".into()],
        only: None,
        command: vec!["p.toml".into()],
        files: vec![DataFile {
            phase: "grandmaster".into(),
            role: "training positions".into(),
            path: "t.epd".into(),
            sha256: "bb".into(),
            count: 9,
            note: None,
        }],
    }
}

fn task(generation: u32) -> Record {
    Record {
        phase: "grandmaster".into(),
        task: format!("run 1 generation {generation} block 0"),
        of: "00".into(),
        answer: RawValue::from_string(format!("[{generation},7]")).unwrap(),
        fault: (generation == 2).then(|| "it fell".into()),
    }
}

fn journal(tasks: u32) -> (tempfile::TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join(JOURNAL_NAME);
    let mut journal = Journal::create(&path, &header()).unwrap();
    for generation in 0..tasks {
        journal.append(&[task(generation)]).unwrap();
    }
    (folder, path)
}

/// Goes on with a journal to three records; what it had.
fn resumed(path: &Path) -> Contents {
    let contents = read(path).unwrap();
    let mut journal = Journal::resume(path, &contents).unwrap();
    for generation in contents.records.len() as u32..3 {
        journal.append(&[task(generation)]).unwrap();
    }
    contents
}

#[test]
fn round_trip() {
    let (_folder, path) = journal(3);
    let contents = read(&path).unwrap();
    assert_eq!(contents.header, header());
    assert_eq!(contents.records, [task(0), task(1), task(2)]);
    assert_eq!(contents.length, std::fs::metadata(&path).unwrap().len());
}

#[cfg(unix)]
#[test]
fn paths_that_are_no_text_come_back() {
    use std::os::unix::ffi::OsStrExt as _;
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join(JOURNAL_NAME);
    let mut header = header();
    header.files[0].path = std::ffi::OsStr::from_bytes(b"/data/caf\xe9.epd").into();
    Journal::create(&path, &header).unwrap();
    assert_eq!(read(&path).unwrap().header, header);
}

#[test]
fn any_torn_tail_is_cut_off() {
    let (_folder, path) = journal(3);
    let bytes = std::fs::read(&path).unwrap();
    let ends: Vec<usize> = (0..bytes.len()).filter(|&at| bytes[at] == b'\n').collect();
    for cut in ends[0] + 1..bytes.len() {
        std::fs::write(&path, &bytes[..cut]).unwrap();
        let whole = ends.iter().filter(|&&end| end < cut).count();
        assert_eq!(resumed(&path).records.len(), whole - 1, "cut at {cut}");
        assert_eq!(std::fs::read(&path).unwrap(), bytes, "cut at {cut}");
    }
}

/// The right value is the journal without them, byte by byte.
#[test]
fn blank_lines_at_the_end_are_cut_off() {
    let (_folder, path) = journal(2);
    let bytes = std::fs::read(&path).unwrap();
    for end in ["\n", "\r\n", " \t\n", "\n\n\n", "  ", "\n\n \t", "\x0c\n"] {
        std::fs::write(&path, [&bytes, end.as_bytes()].concat()).unwrap();
        assert_eq!(resumed(&path).records, [task(0), task(1)], "{end:?}");
        let (_folder, whole) = journal(3);
        let whole = std::fs::read(whole).unwrap();
        assert_eq!(std::fs::read(&path).unwrap(), whole, "{end:?}");
    }
    for blank in ["", "\n", " \n\n"] {
        std::fs::write(&path, blank).unwrap();
        let error = read(&path).unwrap_err().to_string();
        ::tests::says(&error, &["line 1: is empty, expected a journal"]);
    }
}

/// As an editor or a transfer as text leaves them; what is appended has its own ends.
#[test]
fn lines_may_end_with_cr_and_lf() {
    let (_folder, path) = journal(2);
    let text = std::fs::read_to_string(&path)
        .unwrap()
        .replace('\n', "\r\n");
    std::fs::write(&path, &text).unwrap();
    assert_eq!(resumed(&path).records, [task(0), task(1)]);
    assert_eq!(read(&path).unwrap().records, [task(0), task(1), task(2)]);
}

#[test]
fn damage_in_the_middle_is_refused_with_its_line() {
    let (_folder, path) = journal(3);
    let text = std::fs::read_to_string(&path).unwrap();
    let line = |text: String| {
        std::fs::write(&path, text).unwrap();
        match read(&path).unwrap_err() {
            JournalError::Line { line, .. } => line,
            other => panic!("{other}"),
        }
    };
    assert_eq!(line(text.replacen("[1,7]", "[2,7]", 1)), 3);
    assert_eq!(line(text.replacen("tuner 0", "tuner 1", 1)), 1);
    // The last line is complete too, and nobody was killed while writing it.
    let last = text.rfind("{\"sum\"").unwrap();
    let damaged = text[last..].replacen("[", "[9,", 1);
    assert_ne!(damaged, text[last..]);
    assert_eq!(line(text[..last].to_string() + &damaged), 4);
    let lines: Vec<&str> = text.split_inclusive('\n').collect();
    assert_eq!(line([lines[0], lines[2], lines[3]].concat()), 2);
    assert_eq!(line([lines[0], lines[2], lines[1], lines[3]].concat()), 2);
    assert_eq!(line(String::new()), 1);
    assert_eq!(line("no journal".into()), 1);
}

/// A process killed while it wrote the header has done nothing yet, and its user is told what to do.
#[test]
fn a_torn_header_is_told_from_damage() {
    let (_folder, path) = journal(1);
    let text = std::fs::read_to_string(&path).unwrap();
    let said = |text: &str| {
        std::fs::write(&path, text).unwrap();
        read(&path).unwrap_err().to_string()
    };
    let header = text.split_inclusive('\n').next().unwrap();
    ::tests::says(
        &said(&header[..header.len() / 2]),
        &["line 1: has no end", "begin again"],
    );
    ::tests::says(
        &said(&header.replacen("sum\":\"", "sum\":\"0", 1)),
        &["line 1: is damaged"],
    );
    ::tests::says(&said("no journal"), &["line 1: is damaged"]);
}

#[test]
fn other_formats_are_refused() {
    let (_folder, path) = journal(0);
    let (line, _) = line_of(
        "",
        &Header {
            format: 1,
            ..header()
        },
    )
    .unwrap();
    std::fs::write(&path, line).unwrap();
    let error = read(&path).unwrap_err().to_string();
    assert!(
        error.ends_with("line 1: has format 1, this program reads 2"),
        "{error}"
    );
}

#[test]
fn a_full_disk_is_an_error_with_a_name() {
    let full = Path::new("/dev/full");
    if !full.exists() {
        return;
    }
    let mut journal = Journal {
        path: full.into(),
        file: OpenOptions::new().write(true).open(full).unwrap(),
        length: 0,
        sum: String::new(),
        records: 0,
        lag: Duration::ZERO,
        synced: Instant::now(),
        safe: 0,
    };
    let error = journal.append(&[task(0)]).unwrap_err().to_string();
    assert!(error.contains("cannot write /dev/full"), "{error}");
    assert_eq!(journal.length, 0);
}

/// Tasks of workers are acknowledged when the disk has their answers: what waits for it is not counted yet.
#[test]
fn what_waits_for_the_disk_is_not_safe() {
    let folder = tempfile::tempdir().unwrap();
    let mut journal = Journal::create(&folder.path().join(JOURNAL_NAME), &header()).unwrap();
    journal.append(&[task(0)]).unwrap();
    assert_eq!(journal.safe().unwrap(), 1);
    journal.lag(Duration::from_secs(3_600));
    journal.append(&[task(1), task(2)]).unwrap();
    assert_eq!((journal.records(), journal.safe().unwrap()), (3, 1));
    journal.sync().unwrap();
    assert_eq!(journal.safe().unwrap(), 3);
    journal.append(&[task(3)]).unwrap();
    // Its time has come.
    journal.lag(Duration::ZERO);
    assert_eq!(journal.safe().unwrap(), 4);
}

#[test]
fn a_journal_that_has_gone_is_an_error() {
    let folder = tempfile::tempdir().unwrap();
    let (path, moved) = (
        folder.path().join(JOURNAL_NAME),
        folder.path().join("moved"),
    );
    let mut journal = Journal::create(&path, &header()).unwrap();
    journal.append(&[task(0)]).unwrap();
    std::fs::rename(&path, &moved).unwrap();
    let error = journal.append(&[task(1)]).unwrap_err().to_string();
    ::tests::says(
        &error,
        &["journal.jsonl: this file or its folder was removed"],
    );
    // What was moved is a whole journal, the last record included.
    assert_eq!(read(&moved).unwrap().records, [task(0), task(1)]);
    // Another run's journal in its place is not taken for it.
    Journal::create(&path, &header()).unwrap();
    assert!(journal.append(&[task(2)]).is_err());
}

#[test]
fn differences_are_named() {
    let differs = |change: fn(&mut Header)| {
        let mut other = header();
        change(&mut other);
        header().difference(&other).unwrap_or_default()
    };
    assert_eq!(differs(|other| other.program = "tuner 9".into()), "");
    assert_eq!(differs(|other| other.command.clear()), "");
    assert_eq!(
        differs(|other| other.files[0].path = "elsewhere".into()),
        ""
    );
    let profile = differs(|other| other.profile_sha256 = "cc".into());
    ::tests::says(&profile, &["not as it was (SHA-256 aa, now cc)"]);
    let table = differs(|other| other.table[1] = "y 0..=7 3".into());
    let row_2 = "row 2 was \"y 0..=3 2\", in this program it is \"y 0..=7 3\"";
    assert!(table.contains(row_2), "{table}");
    let swapped = differs(|other| other.table.swap(0, 1));
    assert!(swapped.contains("row 1 was "), "{swapped}");
    assert!(differs(|other| other.files[0].count = 8).contains("training positions"));
    let added = differs(|other| {
        let mut file = other.files[0].clone();
        file.role = "held-out positions".into();
        other.files.push(file);
    });
    assert!(added.contains("held-out positions of grandmaster have changed: they were none"));
    assert!(differs(|other| other.only = Some("x".into())).contains("another phase"));
}
