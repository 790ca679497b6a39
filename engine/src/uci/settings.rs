//! The options' values, and what setting one does.

use super::options::{self, Setting};
use super::parameters::{Source, locate};
use super::thinking::ProgramTurn;
use crate::book::{self, Book};
use crate::free_memory::Free;
use crate::position::{Game, Position};
use crate::program::Program;
use crate::search::Searcher;
use crate::strength::Strength;
use crate::tablebase::{MOST_PIECES, Probing, Tablebase};
use crate::tt::TableError;
use crate::types::Move;
use std::collections::hash_map::RandomState;
use std::ffi::OsStr;
use std::hash::BuildHasher;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The values of all options that the searcher does not hold itself.
pub(super) struct Settings {
    pub parameters: Source,
    /// Whether the searcher still has other parameters than these.
    changed: bool,
    pub hash: usize,
    pub threads: usize,
    pub multi_pv: usize,
    pub overhead: i64,
    pub show_wdl: bool,
    analyse: bool,
    limit_strength: bool,
    elo: i32,
    tables: Option<Arc<Tablebase>>,
    probe_depth: usize,
    probe_limit: usize,
    fifty_moves: bool,
    /// Endgame programs with the names of their files.
    programs: Vec<(Arc<str>, Arc<Program>)>,
    program_plies: usize,
    own_book: bool,
    best_book_move: bool,
    book: Option<Book>,
    /// Differs from session to session, so that books are played with variety.
    random: RandomState,
    book_moves: u64,
}

impl Settings {
    /// The defaults that `uci` declares, with these parameters.
    pub fn new(parameters: Source) -> Settings {
        Settings {
            parameters,
            changed: false,
            hash: options::HASH.1 as usize,
            threads: 1,
            multi_pv: 1,
            overhead: options::MOVE_OVERHEAD.0,
            show_wdl: false,
            analyse: false,
            limit_strength: false,
            elo: crate::strength::ELO.1 as i32,
            tables: None,
            probe_depth: 1,
            probe_limit: MOST_PIECES,
            fifty_moves: true,
            programs: Vec::new(),
            program_plies: 1,
            own_book: false,
            best_book_move: true,
            book: None,
            random: RandomState::new(),
            book_moves: 0,
        }
    }

    /// Sets an option; comes back with what a person may want to know.
    ///
    /// # Errors
    /// Why nothing changed.
    pub fn apply(
        &mut self,
        setting: Setting,
        searcher: &mut Searcher,
    ) -> Result<Option<String>, String> {
        match setting {
            Setting::Hash(megabytes) => self.resize(megabytes, searcher)?,
            Setting::ClearHash => searcher.clear(),
            Setting::Threads(threads) => {
                let more = threads.saturating_sub(self.threads);
                let free = Free::now(self.threads);
                let room = free.threads(more, 0);
                if room < more {
                    let (each, now) = (free.a_thread(), self.threads);
                    return Err(format!(
                        "there is no room for {threads} threads (each may take {each} MB more), \
                         only for {}; it stays at {now}",
                        now + room
                    ));
                }
                searcher.set_threads(threads);
                self.threads = threads;
            }
            // `go ponder` says when to ponder.
            Setting::Ponder(_) => {}
            Setting::MultiPv(lines) => self.multi_pv = lines,
            Setting::MoveOverhead(milliseconds) => self.overhead = milliseconds,
            Setting::ShowWdl(on) => self.show_wdl = on,
            Setting::AnalyseMode(on) => self.analyse = on,
            Setting::LimitStrength(on) => self.limit_strength = on,
            Setting::Elo(elo) => self.elo = elo,
            Setting::SyzygyPath(path) => return self.open_tables(&path),
            Setting::SyzygyProbeDepth(depth) => self.probe_depth = depth,
            Setting::SyzygyProbeLimit(pieces) => self.probe_limit = pieces,
            Setting::Syzygy50MoveRule(on) => self.fifty_moves = on,
            Setting::OwnBook(on) => self.own_book = on,
            Setting::BookFile(name) => return self.open_book(&name),
            Setting::BestBookMove(on) => self.best_book_move = on,
            Setting::EndgameProgram(names) => return self.open_programs(&names),
            Setting::EndgameProgramDepth(plies) => self.program_plies = plies,
            Setting::ParamsFile(names) => {
                if let Some(odd) = odd_file(&names) {
                    let odd = odd.display();
                    return Err(format!("{odd} is no file; the parameters stay as they are"));
                }
                let source = Source::load(&names)
                    .map_err(|error| format!("{error}\nthe parameters stay as they are"))?;
                searcher.set_params(source.params().clone());
                self.parameters = source;
                self.changed = false;
                return Ok(Some(self.parameters.summary()));
            }
            Setting::Parameter(row, value) => self.changed |= self.parameters.set(row, value),
        }
        Ok(None)
    }

    /// Gives the searcher the parameters that were set one by one. That empties its table, which for
    /// hundreds of them in a row would take seconds.
    pub fn settle(&mut self, searcher: &mut Searcher) {
        if std::mem::take(&mut self.changed) {
            searcher.set_params(self.parameters.params().clone());
        }
    }

    fn resize(&mut self, megabytes: usize, searcher: &mut Searcher) -> Result<(), String> {
        // What the table has now it gives back.
        let free = Free::now(self.threads).with(self.hash).megabytes();
        if free.is_some_and(|free| megabytes > free) {
            let error = TableError {
                megabytes,
                threads: 0,
                free,
            };
            return Err(format!("{error}; the table stays as it is"));
        }
        let resized = searcher.resize(megabytes);
        self.hash = searcher.table_megabytes();
        resized.map_err(|error| format!("{error}; the table has {} MB now", self.hash))
    }

    fn open_tables(&mut self, path: &OsStr) -> Result<Option<String>, String> {
        if path.is_empty() {
            self.tables = None;
            return Ok(None);
        }
        // Separated as in `PATH`: by `:`, on Windows by `;`.
        let folders = std::env::split_paths(path).filter(|folder| folder != Path::new(""));
        let folders: Vec<PathBuf> = folders.map(|folder| locate(&folder)).collect();
        if folders.is_empty() {
            let path = path.display();
            return Err(format!(
                "SyzygyPath: \"{path}\" names no folder; nothing changed"
            ));
        }
        let tables = Tablebase::open(&folders).map_err(|error| {
            let lines = error.to_string();
            let lines = lines.lines().map(|line| format!("SyzygyPath: {line}"));
            lines.collect::<Vec<_>>().join("\n") + "; nothing changed"
        })?;
        let (files, pieces) = (tables.files(), tables.max_pieces());
        let remarks = tables.remarks().iter();
        let mut told: Vec<String> = remarks.map(|line| format!("SyzygyPath: {line}")).collect();
        told.push(format!("{files} tables of up to {pieces} pieces"));
        self.tables = Some(Arc::new(tables));
        Ok(Some(told.join("\n")))
    }

    fn open_book(&mut self, name: &Path) -> Result<Option<String>, String> {
        if name.as_os_str().is_empty() {
            self.book = None;
            return Ok(None);
        }
        let path = locate(name);
        let book = Book::open(&path)
            .map_err(|error| format!("Book File {}: {error}; nothing changed", path.display()))?;
        let entries = book.entries();
        self.book = Some(book);
        Ok(Some(format!(
            "book {} with {entries} entries",
            path.display()
        )))
    }

    fn open_programs(&mut self, names: &[PathBuf]) -> Result<Option<String>, String> {
        let failed = |why: String| Err(format!("EndgameProgram: {why}; nothing changed"));
        if let Some(odd) = odd_file(names) {
            return failed(format!("{} is no file", odd.display()));
        }
        let (mut programs, mut told) = (Vec::new(), Vec::new());
        for path in names.iter().map(|name| locate(name)) {
            let program = match Program::load(&path) {
                Ok(program) => program,
                Err(error) => return failed(error.to_string()),
            };
            let endings: Vec<String> = program.endings.iter().map(ToString::to_string).collect();
            let mut line = format!("endgame program {}: {}", path.display(), endings.join(" "));
            if !program.fits() {
                line += "; it was made with other primitives and may play otherwise here";
            }
            told.push(line);
            let name = path
                .file_name()
                .unwrap_or(path.as_os_str())
                .to_string_lossy();
            programs.push((name.into(), Arc::new(program)));
        }
        self.programs = programs;
        Ok((!told.is_empty()).then(|| told.join("\n")))
    }

    /// The program that chooses the move in a game that is played, if one is for this material: the first that
    /// is for just this, else the first whose ending may have come to it by captures.
    pub fn program_turn(&self, game: &Game) -> Option<ProgramTurn> {
        let position = game.position();
        let is_of_this = |(_, program): &&(_, Arc<Program>)| {
            let mut endings = program.endings.iter();
            endings.any(|ending| ending.is_of(position))
        };
        let exact = self.programs.iter().find(is_of_this);
        let covers = || self.programs.iter().find(|(_, p)| p.covers(position));
        let (name, program) = exact.or_else(covers)?;
        (!self.analyse).then(|| ProgramTurn {
            name: Arc::clone(name),
            program: Arc::clone(program),
            plies: self.program_plies,
        })
    }

    /// The book's move in a game that is played, if there is one.
    ///
    /// # Errors
    /// A sentence on a book that can't be read any more; it is closed.
    pub fn book_move(&mut self, position: &Position) -> Result<Option<Move>, String> {
        let Some(book) = self
            .book
            .as_mut()
            .filter(|_| self.own_book && !self.analyse)
        else {
            return Ok(None);
        };
        let random = (!self.best_book_move).then(|| {
            self.book_moves += 1;
            self.random.hash_one(self.book_moves)
        });
        match book.moves(position) {
            Ok(moves) => Ok(book::choose(&moves, random)),
            Err(error) => {
                self.book = None;
                Err(format!("Book File: {error}; it is not used any more"))
            }
        }
    }

    /// The endgame tables with how they are to be asked, if there are any.
    pub fn endgames(&self) -> Option<Probing> {
        Some(Probing {
            tables: Arc::clone(self.tables.as_ref()?),
            depth: self.probe_depth,
            limit: self.probe_limit,
            fifty_moves: self.fifty_moves,
        })
    }

    /// The strength to play at, unless it is full strength.
    pub fn strength(&self) -> Option<Strength> {
        (self.limit_strength && !self.analyse).then(|| Strength::of_elo(self.elo))
    }
}

/// The first that is there and is no file. A pipe would hold the session up for as long as nobody writes to it.
fn odd_file(names: &[PathBuf]) -> Option<PathBuf> {
    let is_odd = |path: &PathBuf| path.metadata().is_ok_and(|file| !file.is_file());
    names.iter().map(|name| locate(name)).find(is_odd)
}
