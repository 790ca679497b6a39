//! `tuner check`: everything that could make a run fail late, tried early.

use crate::run::phase::Phase;
use crate::run::{Options, Order, RunError, begins_text, can_begin};
use engine::params::ParamSet;

/// Reads a profile with all its data and runs a miniature of every phase.
///
/// # Errors
/// The first thing that is not as it should be.
pub fn check(order: &Order, options: &Options) -> Result<String, RunError> {
    let plan = order.plan(options)?;
    can_begin(&plan)?;
    let mut text = format!("Profile {}", plan.header.profile);
    if let Some(begins) = begins_text(&plan.header) {
        text += &format!("\n{begins}");
    }
    for warning in &plan.warnings {
        text += &format!("\n  WARNING: {warning}");
    }
    let mut start = plan.start.clone();
    for planned in &plan.phases {
        if !plan.profile.flat {
            text += &format!("\nPhase {}", planned.name);
        }
        let found = planned.phase.check(&start);
        text += &format!(
            "\n{}",
            found.map_err(|error| error.in_phase(&planned.name))?
        );
        if let Some(warning) = planned.phase.warning() {
            text += &format!("\n  WARNING: {warning}");
        }
        let unknown = stand_ins(planned.phase.as_ref(), planned.phase.leaves(&start));
        start = start.after(&unknown, planned.phase.genotype());
    }
    Ok(text)
}

/// What the next phase begins with is not known yet: as many parameters stand for it, the default's,
/// all different in what evolves.
fn stand_ins(phase: &dyn Phase, count: usize) -> Vec<ParamSet> {
    let genes = phase.genotype().map_or(&[][..], |genotype| &genotype.genes);
    let one = |number: usize| {
        let mut params = ParamSet::default();
        for gene in genes {
            let (low, high) = (gene.low, gene.high);
            let places = i64::from(high) - i64::from(low) + 1;
            let place = i64::from(params.get(gene)) - i64::from(low) + number as i64;
            let value = i64::from(low) + place.rem_euclid(places);
            params.set(gene, i32::try_from(value).unwrap_or(low));
        }
        params
    };
    (0..count).map(one).collect()
}
