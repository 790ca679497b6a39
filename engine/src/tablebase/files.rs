//! The files of Syzygy tables: which can be used, what is wrong with the others, and which prove
//! damaged later.

use shakmaty::Chess;
use shakmaty_syzygy::filesystem::{Filesystem, OsFilesystem, RandomAccessFile, ReadHint};
use shakmaty_syzygy::{Syzygy, TableType};
use std::collections::{BTreeSet, HashMap};
use std::io::{self, ErrorKind, Read};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Mutex, PoisonError};

/// Bad parts that are named one by one; of more, the others are counted.
const NAMED: usize = 4;

/// The file of a table.
struct Candidate {
    /// Pieces, as `KQvK`.
    material: String,
    path: PathBuf,
}

/// Looks for tables in folders: comes back with the files that are to be used, and with sentences on
/// all that is not as it should be, which keeps nothing else from being used.
pub(super) fn find(folders: &[PathBuf], disk: &Disk) -> (Vec<PathBuf>, Vec<String>) {
    let (mut results, mut distances, mut remarks) = (Vec::new(), Vec::new(), Vec::new());
    for folder in folders {
        let before = results.len() + distances.len();
        let listed = list(folder, &mut results, &mut distances);
        let folder = folder.display();
        match listed {
            Err(cause) => remarks.push(format!("the folder {folder} can't be read: {cause}")),
            Ok(()) if results.len() + distances.len() == before => {
                remarks.push(format!("the folder {folder} has no Syzygy tables"));
            }
            Ok(()) => {}
        }
    }
    let with_results = materials(&results);
    let with_distances = materials(&distances);
    let mut bad = Vec::new();
    let mut leave_out_bad = |files: &mut Vec<Candidate>, kind: TableType| {
        files.retain(|file| {
            let checked = disk.check(&file.path, &kind);
            let refused = checked.map_err(|cause| {
                bad.push(format!("{} can't be used: {cause}", file.path.display()));
            });
            refused.is_ok()
        });
    };
    leave_out_bad(&mut results, Chess::TBW);
    leave_out_bad(&mut distances, Chess::TBZ);
    remarks.extend(few(bad, "more files can't be used"));
    let usable = materials(&results);
    distances.retain(|file| usable.contains(&file.material));
    let useless: Vec<_> = with_distances.difference(&with_results).collect();
    if !useless.is_empty() {
        let names = list_of(&useless, "rtbz");
        remarks.push(format!("{names} without .rtbw files are not used"));
    }
    let blind: Vec<_> = usable.difference(&with_distances).collect();
    if !blind.is_empty() {
        let names = list_of(&blind, "rtbw");
        remarks.push(format!(
            "{names} without .rtbz files: results are used, distances are not known"
        ));
    }
    let files = results.into_iter().chain(distances);
    (files.map(|file| file.path).collect(), remarks)
}

fn materials(files: &[Candidate]) -> BTreeSet<String> {
    files.iter().map(|file| file.material.clone()).collect()
}

/// The names of a few files, and how many there are besides.
fn list_of(materials: &[&String], extension: &str) -> String {
    let names = materials.iter().map(|name| format!("{name}.{extension}"));
    few(names.collect(), "more").join(", ")
}

/// The first few of many sentences, and how many there are besides.
pub(super) fn few(mut sentences: Vec<String>, more: &str) -> Vec<String> {
    let others = sentences.len().saturating_sub(NAMED);
    if others > 0 {
        sentences.truncate(NAMED);
        sentences.push(format!("{others} {more}"));
    }
    sentences
}

/// Adds the tables of a folder, in the order of their names, as far as it can be read.
fn list(
    folder: &Path,
    results: &mut Vec<Candidate>,
    distances: &mut Vec<Candidate>,
) -> io::Result<()> {
    let mut paths = Vec::new();
    let mut outcome = Ok(());
    for entry in folder.read_dir()? {
        match entry {
            Ok(entry) => paths.push(entry.path()),
            Err(cause) => outcome = Err(cause),
        }
    }
    paths.sort();
    for path in paths {
        let ends = |kind: TableType| path.extension().is_some_and(|end| end == kind.ext);
        let files = match (ends(Chess::TBW), ends(Chess::TBZ)) {
            (true, _) => &mut *results,
            (_, true) => &mut *distances,
            _ => continue,
        };
        let stem = path.file_stem().and_then(|stem| stem.to_str());
        if let Some(material) = stem.filter(|stem| is_material(stem)).map(str::to_string) {
            files.push(Candidate { material, path });
        }
    }
    outcome
}

/// Whether a name is that of a table, as `KQvK`.
fn is_material(name: &str) -> bool {
    let is_side = |side: &str| {
        side.starts_with('K') && side.chars().skip(1).all(|piece| "QRBNP".contains(piece))
    };
    let sides = name.split_once('v');
    sides.is_some_and(|(one, other)| {
        is_side(one) && is_side(other) && one.len() + other.len() <= super::MOST_PIECES
    })
}

/// The disk as `shakmaty-syzygy` sees it: a table that has proved damaged is not read again.
#[derive(Default)]
pub(super) struct Disk {
    system: OsFilesystem,
    /// Whether a table is given up, by the name of its file.
    given_up: Mutex<HashMap<String, Arc<AtomicBool>>>,
}

impl Disk {
    /// Looks at what can be seen of a table without reading it.
    fn check(&self, path: &Path, kind: &TableType) -> io::Result<()> {
        let size = self.regular_file_size(path)?;
        let problem = match size {
            0 => "it is empty".to_string(),
            size if size % 64 != 16 => format!("no Syzygy table has {size} bytes"),
            _ => {
                let mut magic = [0; 4];
                std::fs::File::open(path)?.read_exact(&mut magic)?;
                match magic == kind.magic {
                    true => return Ok(()),
                    false => format!("it is no Syzygy table (.{})", kind.ext),
                }
            }
        };
        Err(io::Error::new(ErrorKind::InvalidData, problem))
    }

    /// Never reads the table of this name again; says whether that is news.
    pub fn give_up(&self, name: &str) -> bool {
        !self.state(name).swap(true, Relaxed)
    }

    fn state(&self, name: &str) -> Arc<AtomicBool> {
        let mut given_up = self.given_up.lock().unwrap_or_else(PoisonError::into_inner);
        Arc::clone(given_up.entry(name.to_string()).or_default())
    }
}

impl Filesystem for Disk {
    fn regular_file_size(&self, path: &Path) -> io::Result<u64> {
        // A kind of error of which the crate does not think that the name is no table's.
        let odd = |error: io::Error| match error.kind() {
            ErrorKind::InvalidInput => io::Error::other("it is no file"),
            _ => error,
        };
        self.system.regular_file_size(path).map_err(odd)
    }

    fn read_dir(&self, path: &Path) -> io::Result<Vec<PathBuf>> {
        self.system.read_dir(path)
    }

    fn open(&self, path: &Path) -> io::Result<Box<dyn RandomAccessFile>> {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let is_given_up = self.state(&name);
        if is_given_up.load(Relaxed) {
            return Err(io::Error::other("it is damaged"));
        }
        let file = self.system.open(path)?;
        Ok(Box::new(Table { file, is_given_up }))
    }
}

/// A table that is open.
struct Table {
    file: Box<dyn RandomAccessFile>,
    is_given_up: Arc<AtomicBool>,
}

impl RandomAccessFile for Table {
    fn read_at(&self, buffer: &mut [u8], offset: u64, hint: ReadHint) -> io::Result<usize> {
        if self.is_given_up.load(Relaxed) {
            return Err(io::Error::other("it is damaged"));
        }
        self.file.read_at(buffer, offset, hint)
    }
}
