//! `tuner check`: everything that could make a run fail late, tried early.

use crate::base::progress::duration;
use crate::base::statistics::counted;
use crate::error::RunError;
use crate::phases::options::Options;
use crate::phases::phase::Phase;
use crate::run::beginning::begins_text;
use crate::run::courses::can_begin;
use crate::run::order::Order;
use crate::run::plan::threads;
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
    let threads = threads(&plan.profile, options);
    let (mut start, mut seconds) = (plan.start.clone(), 0.0);
    for planned in &plan.phases {
        if !plan.profile.flat {
            text += &format!("\nPhase {}", planned.name);
        }
        let found = planned.phase.check(&start, threads);
        let found = found.map_err(|error| error.in_phase(&planned.name))?;
        text += &format!("\n{}", found.text);
        seconds += found.seconds;
        if let Some(warning) = planned.phase.warning() {
            text += &format!("\n  WARNING: {warning}");
        }
        let unknown = stand_ins(planned.phase.as_ref(), planned.phase.leaves(&start));
        start = start.after(&unknown, planned.phase.outline().encoding);
    }
    Ok(text + "\n" + &total_text(seconds, threads, plan.profile.hours))
}

/// The time of all phases, set against the hours that the profile allows.
fn total_text(seconds: f64, threads: usize, hours: Option<f64>) -> String {
    let threads = counted(threads, "thread");
    let total = format!("Total: about {} on {threads}", duration(seconds));
    let Some(hours) = hours else {
        return total + ", less where individuals repeat or a match ends early";
    };
    let limit = match hours {
        1.0 => "1 hour".to_string(),
        hours => format!("{hours} hours"),
    };
    let fits = match seconds <= 3600.0 * hours {
        true => "it will fit",
        false => "it will not fit, so the run ends at its limit, with a result all the same",
    };
    format!("{total}; the profile's limit is {limit}: {fits}")
}

/// What the next phase begins with is not known yet: as many parameters stand for it, the default's,
/// all different in what evolves.
fn stand_ins(phase: &dyn Phase, count: usize) -> Vec<ParamSet> {
    let encoding = phase.outline().encoding;
    let genes = encoding.map_or(&[][..], |encoding| &encoding.genes);
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

#[cfg(test)]
mod tests {
    use super::total_text;

    #[test]
    fn the_total_is_set_against_the_hours() {
        assert_eq!(
            total_text(9600.0, 2, Some(3.0)),
            "Total: about 2 h 40 min on 2 threads; the profile's limit is 3 hours: it will fit"
        );
        let said = total_text(7201.0, 1, Some(2.0));
        let expected =
            "Total: about 2 h on 1 thread; the profile's limit is 2 hours: it will not fit";
        assert!(said.starts_with(expected), "{said}");
        let said = total_text(200.0, 4, None);
        assert!(
            said.starts_with("Total: about 3 min on 4 threads, less where"),
            "{said}"
        );
        assert!(!said.contains("limit"), "{said}");
    }
}
