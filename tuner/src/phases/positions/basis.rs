//! What a phase that learns from positions has beside its keys and its data.

use super::Settings;
use super::champions::{Champions, Say};
use super::data;
use crate::config::evolution::{Evolution, Runs};
use crate::encoding::files::Provenance;
use crate::exec::journal::DataFile;
use crate::phases::context::PhaseContext;
use crate::phases::phase::Outline;
use engine::params::{Gene, Table};

/// See the module.
#[derive(Debug)]
pub struct Basis {
    /// What decides its course.
    pub settings: Settings,
    /// The layout that evolves.
    pub layout: String,
    /// Its data files.
    pub files: Vec<DataFile>,
    origin: Provenance,
}

impl Basis {
    /// Of a phase of a kind, with these genes of a layout, where a position is worth at most so many points.
    pub fn new(
        kind: &str,
        context: &PhaseContext<'_>,
        (layout, genes): (&str, &[Gene]),
        how: (&Evolution, &Runs),
        points: u32,
        files: Vec<DataFile>,
    ) -> Basis {
        Basis {
            settings: Settings::new(genes, how, points, data::counts(&files)),
            layout: layout.to_string(),
            files,
            origin: context.origin(kind),
        }
    }

    /// What is written of champions, whose points mean this.
    pub fn champions<'a>(&'a self, say: Say<'a>) -> Champions<'a> {
        Champions {
            origin: &self.origin,
            files: &self.files,
            layout: &self.layout,
            say,
        }
    }

    /// What is known of the phase before it begins.
    pub fn outline(&self) -> Outline<'_> {
        Outline {
            files: &self.files,
            encoding: Some(&self.settings.encoding),
            layouts: (vec![&self.layout], vec![Table::Eval]),
            generations: self.settings.schedule.all_generations(),
        }
    }

    /// How many champions it leaves.
    pub fn leaves(&self) -> usize {
        self.settings.schedule.seeds.len() + usize::from(self.settings.mean)
    }
}
