//! Ctrl-C: the first asks to stop, the second stops at once.

use signal_hook::consts::{SIGINT, SIGTERM};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// Exit status of a run that the user has stopped, as shells report SIGINT.
pub const EXIT_INTERRUPTED: u8 = 130;

/// Sets `flag` at the first of these signals and exits at the next.
///
/// # Errors
/// The system refuses the handlers.
pub fn watch(flag: &Arc<AtomicBool>) -> std::io::Result<()> {
    let mut signals = vec![SIGINT, SIGTERM];
    #[cfg(unix)]
    signals.push(signal_hook::consts::SIGHUP);
    for signal in signals {
        // This order matters: actions run in it, and the first signal must find the flag unset.
        let exit = i32::from(EXIT_INTERRUPTED);
        signal_hook::flag::register_conditional_shutdown(signal, exit, Arc::clone(flag))?;
        signal_hook::flag::register(signal, Arc::clone(flag))?;
    }
    Ok(())
}
