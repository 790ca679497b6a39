//! Workers on other machines, over streams of a Redis or Valkey server.
//!
//! | file | job |
//! |---|---|
//! | `address` | where the server is, shown without its password |
//! | `message` | what is said, and how much of it is read |
//! | `link` | the commands of the server that are used |
//! | `roster` | the workers that a leader knows, and whose answers nobody has confirmed |
//! | `leader` | the leader's side: tasks out, answers in |
//! | `reader` | its thread that listens |
//! | `crew` | the worker's side: tasks in, answers out |
//!
//! The server holds no truth: the journal does. A task that is not answered there is published again, and a
//! server that is gone costs nothing but the help of others.
//!
//! Keys begin with `eyas:` and the number of the leader's session. `tasks` is a stream with one consumer
//! group: an entry is a task, leased to who took it for as long as it is claimed again in time, and
//! acknowledged when its answer is in the journal. `said` is the stream of what workers say. `manifest` is what
//! a worker needs to know of the run; it expires soon after its leader has gone, everything else somewhat later.

pub mod address;
pub mod crew;
pub mod leader;
pub mod link;
pub mod message;
pub mod reader;
pub mod roster;
