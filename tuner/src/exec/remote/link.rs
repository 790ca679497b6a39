//! A connection to the server, with the commands that are used. No other file gives it commands.

use super::address::{Address, PASSWORD, PASSWORD_FILE};
use super::message::{MOST_BYTES, clean};
use redis::{Cmd, Connection, FromRedisValue, Pipeline, RedisError, Value, cmd};
use std::time::Duration;

/// How long a connection may take to come about.
const CONNECTING: Duration = Duration::from_secs(2);
/// How long the server may take to answer, beside what it was asked to wait.
const ANSWERING: Duration = Duration::from_secs(20);
/// What is said where the server was emptied or has begun anew.
const GONE: &str = "the data of the run are gone from it";
/// The field of a stream's entry.
const FIELD: &str = "json";

/// Why the server did not do what it was asked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Trouble {
    /// In words.
    pub said: String,
    /// Whether user, password or database is wrong, which no patience mends.
    pub is_refused: bool,
    /// Whether the session's keys are not there, because the server was emptied or has begun anew.
    pub is_empty: bool,
}

impl From<RedisError> for Trouble {
    fn from(error: RedisError) -> Trouble {
        let code = error.code().unwrap_or_default();
        let is_refused = error.kind() == redis::ErrorKind::AuthenticationFailed
            || ["WRONGPASS", "NOAUTH", "NOPERM"].contains(&code);
        let said = clean(&error.to_string());
        let has_no_database = said.contains("DB index");
        // Of several commands at once the code is in the words.
        let is_empty = code == "NOGROUP" || said.contains("NOGROUP");
        let said = match error.kind() {
            _ if has_no_database => "it has no database of this number".to_string(),
            _ if is_empty => GONE.to_string(),
            _ if code == "NOAUTH" => format!("it wants a password: {PASSWORD} or {PASSWORD_FILE}"),
            redis::ErrorKind::AuthenticationFailed => {
                format!(
                    "user or password is wrong, or it wants none: the URL, {PASSWORD} or {PASSWORD_FILE}"
                )
            }
            _ if error.is_timeout() => "it does not answer".to_string(),
            redis::ErrorKind::Parse => {
                "what answers there is no Redis or Valkey server".to_string()
            }
            _ => said,
        };
        Trouble {
            said,
            is_refused: is_refused || has_no_database,
            is_empty,
        }
    }
}

/// An entry of a stream: its number and its text.
pub type Entry = (String, String);

/// See the module.
pub struct Link {
    connection: Connection,
}

type Done<T> = Result<T, Trouble>;

impl Link {
    /// Connects.
    ///
    /// # Errors
    /// Nobody answers, or the user, the password or the number of the database is wrong.
    pub fn new(address: &Address) -> Done<Link> {
        let client = redis::Client::open(address.info.clone())?;
        let connection = client.get_connection_with_timeout(CONNECTING)?;
        connection.set_read_timeout(Some(ANSWERING))?;
        connection.set_write_timeout(Some(ANSWERING))?;
        let mut link = Link { connection };
        link.run::<()>(&cmd("PING"))?;
        Ok(link)
    }

    fn run<T: FromRedisValue>(&mut self, command: &Cmd) -> Done<T> {
        Ok(command.query(&mut self.connection)?)
    }

    fn run_all(&mut self, commands: &Pipeline) -> Done<Vec<Value>> {
        match commands.is_empty() {
            true => Ok(Vec::new()),
            false => Ok(commands.query(&mut self.connection)?),
        }
    }

    /// Sets a key that expires.
    pub fn set(&mut self, key: &str, value: &[u8], lives: Duration) -> Done<()> {
        self.run(cmd("SET").arg(key).arg(value).arg("PX").arg(millis(lives)))
    }

    /// A key's value, `None` if there is none; one that is too long is refused unread.
    pub fn get(&mut self, key: &str) -> Done<Option<Vec<u8>>> {
        let length: usize = self.run(cmd("STRLEN").arg(key))?;
        if length > MOST_BYTES {
            return Err(Trouble {
                said: format!("{key} has {length} bytes, expected {MOST_BYTES} at most"),
                is_refused: false,
                is_empty: false,
            });
        }
        self.run(cmd("GET").arg(key))
    }

    /// Whether a key is there.
    pub fn exists(&mut self, key: &str) -> Done<bool> {
        self.run(cmd("EXISTS").arg(key))
    }

    /// Keys live so much longer; whether the first is there at all.
    pub fn refresh(&mut self, keys: &[(&str, Duration)]) -> Done<bool> {
        let mut all = redis::pipe();
        for (key, lives) in keys {
            all.cmd("PEXPIRE").arg(key).arg(millis(*lives));
        }
        let there = self.run_all(&all)?;
        Ok(there.first() == Some(&Value::Int(1)))
    }

    /// Removes keys.
    pub fn remove(&mut self, keys: &[String]) -> Done<()> {
        self.run(cmd("DEL").arg(keys))
    }

    /// Puts a name into a set.
    pub fn join(&mut self, set: &str, name: &str) -> Done<()> {
        self.run(cmd("SADD").arg(set).arg(name))
    }

    /// Takes a name out of a set.
    pub fn leave(&mut self, set: &str, name: &str) -> Done<()> {
        self.run(cmd("SREM").arg(set).arg(name))
    }

    /// The names in a set.
    pub fn members(&mut self, set: &str) -> Done<Vec<String>> {
        self.run(cmd("SMEMBERS").arg(set))
    }

    /// Notes something under a name.
    pub fn note(&mut self, hash: &str, name: &str, text: &str) -> Done<()> {
        self.run(cmd("HSET").arg(hash).arg(name).arg(text))
    }

    /// What is noted under a name.
    pub fn noted(&mut self, hash: &str, name: &str) -> Done<Option<String>> {
        self.run(cmd("HGET").arg(hash).arg(name))
    }

    /// Begins a stream with a consumer group, if it isn't there.
    pub fn begin(&mut self, stream: &str, group: &str) -> Done<()> {
        let mut begin = cmd("XGROUP");
        begin.arg("CREATE").arg(stream).arg(group).arg("0");
        match self.run::<()>(begin.arg("MKSTREAM")) {
            Err(trouble) if trouble.said.contains("BUSYGROUP") => Ok(()),
            done => done,
        }
    }

    /// Adds entries to a stream that is there; their numbers.
    pub fn add(&mut self, stream: &str, texts: &[String]) -> Done<Vec<String>> {
        let numbers = self.run_all(&adding(stream, texts))?.into_iter().map(text);
        let numbers = numbers.collect::<Option<Vec<String>>>();
        numbers.ok_or_else(|| Trouble {
            said: GONE.to_string(),
            is_refused: false,
            is_empty: true,
        })
    }

    /// Takes entries that nobody has taken, as a member of the group, and waits for some so long.
    pub fn take(
        &mut self,
        member: (&str, &str, &str),
        most: usize,
        wait: Option<Duration>,
    ) -> Done<Vec<Entry>> {
        self.add_and_take(("", &[]), member, most, wait)
    }

    /// Adds these entries to one stream, and takes of another.
    pub fn add_and_take(
        &mut self,
        (to, texts): (&str, &[String]),
        (stream, group, member): (&str, &str, &str),
        most: usize,
        wait: Option<Duration>,
    ) -> Done<Vec<Entry>> {
        let mut all = adding(to, texts);
        let take = all.cmd("XREADGROUP").arg("GROUP").arg(group).arg(member);
        take.arg("COUNT").arg(most);
        if let Some(wait) = wait {
            take.arg("BLOCK").arg(millis(wait));
        }
        take.arg("STREAMS").arg(stream).arg(">");
        let found = self.run_all(&all)?.pop();
        Ok(entries(found.unwrap_or(Value::Nil)))
    }

    /// Removes these entries of a stream; then those behind the one with this number, and waits for some so long.
    pub fn read(
        &mut self,
        (stream, strike): (&str, &[String]),
        after: &str,
        most: usize,
        wait: Duration,
    ) -> Done<Vec<Entry>> {
        let mut both = redis::pipe();
        if !strike.is_empty() {
            both.cmd("XDEL").arg(stream).arg(strike);
        }
        let read = both.cmd("XREAD").arg("COUNT").arg(most);
        let read = read.arg("BLOCK").arg(millis(wait));
        read.arg("STREAMS").arg(stream).arg(after);
        let found = self.run_all(&both)?.pop();
        Ok(entries(found.unwrap_or(Value::Nil)))
    }

    /// Acknowledges entries and removes them.
    pub fn finish(&mut self, stream: &str, group: &str, numbers: &[String]) -> Done<()> {
        if numbers.is_empty() {
            return Ok(());
        }
        let mut both = redis::pipe();
        both.cmd("XACK").arg(stream).arg(group).arg(numbers);
        both.cmd("XDEL").arg(stream).arg(numbers);
        self.run_all(&both).map(drop)
    }

    /// Names of a group's members who have asked for entries lately; none if there is no such stream.
    pub fn takers(&mut self, stream: &str, group: &str) -> Done<Vec<String>> {
        // Milliseconds. One with a long task claims it again every third of a lease.
        const LATELY: i64 = 30_000;
        let found = self.run::<Value>(cmd("XINFO").arg("CONSUMERS").arg(stream).arg(group));
        let members = match found {
            Ok(found) => list(found),
            // Emptied a moment ago.
            Err(trouble) if trouble.is_empty || trouble.said.contains("no such key") => Vec::new(),
            Err(trouble) => return Err(trouble),
        };
        let taker = |member: Value| {
            let words = list(member);
            let of = |key: &str| {
                let is_key = |word: &Value| text(word.clone()).as_deref() == Some(key);
                let at = words.iter().position(is_key)?;
                words.get(at + 1).cloned()
            };
            let idle: i64 = redis::from_redis_value(of("idle")?).ok()?;
            text(of("name")?).filter(|_| idle < LATELY)
        };
        Ok(members.into_iter().filter_map(taker).collect())
    }

    /// Claims entries that a member has in hand once more, so that their lease begins anew.
    pub fn hold(
        &mut self,
        (stream, group, member): (&str, &str, &str),
        numbers: &[String],
    ) -> Done<()> {
        if numbers.is_empty() {
            return Ok(());
        }
        let mut claim = cmd("XCLAIM");
        claim.arg(stream).arg(group).arg(member).arg(0).arg(numbers);
        self.run::<Value>(claim.arg("JUSTID")).map(drop)
    }

    /// Takes over entries whose lease of so long has run out; their numbers.
    pub fn overdue(
        &mut self,
        (stream, group, member): (&str, &str, &str),
        lease: Duration,
    ) -> Done<Vec<String>> {
        let mut claim = cmd("XAUTOCLAIM");
        claim.arg(stream).arg(group).arg(member).arg(millis(lease));
        let found: Value = self.run(claim.arg("0-0").arg("COUNT").arg(10_000).arg("JUSTID"))?;
        let found = list(found).into_iter().nth(1).map(list).unwrap_or_default();
        Ok(found.into_iter().filter_map(text).collect())
    }

    /// The entries that a member has in hand.
    pub fn in_hand(&mut self, stream: &str, group: &str, member: &str) -> Done<Vec<String>> {
        let mut pending = cmd("XPENDING");
        pending.arg(stream).arg(group).arg("-").arg("+").arg(10_000);
        let found: Value = self.run(pending.arg(member))?;
        let number = |one: Value| list(one).into_iter().next().and_then(text);
        Ok(list(found).into_iter().filter_map(number).collect())
    }
}

fn adding(stream: &str, texts: &[String]) -> Pipeline {
    let mut all = redis::pipe();
    for text in texts {
        let add = all.cmd("XADD").arg(stream);
        // Nobody begins a stream of a session that has ended.
        add.arg("NOMKSTREAM").arg("*").arg(FIELD).arg(text);
    }
    all
}

fn millis(duration: Duration) -> u64 {
    u64::try_from(duration.as_millis())
        .unwrap_or(u64::MAX)
        .max(1)
}

fn list(value: Value) -> Vec<Value> {
    match value {
        Value::Array(values) => values,
        _ => Vec::new(),
    }
}

fn text(value: Value) -> Option<String> {
    redis::from_redis_value::<String>(value).ok()
}

/// The entries of the one stream that was asked for. One that is not ours is there with an empty text, so
/// that it can be put away.
fn entries(found: Value) -> Vec<Entry> {
    let stream = list(found).into_iter().next().map(list).unwrap_or_default();
    let entries = stream.into_iter().nth(1).map(list).unwrap_or_default();
    let entry = |value: Value| {
        let mut parts = list(value).into_iter();
        let number = text(parts.next()?)?;
        let mut fields = list(parts.next().unwrap_or(Value::Nil)).into_iter();
        let is_ours = fields.next().and_then(text).as_deref() == Some(FIELD);
        let said = fields.next().filter(|_| is_ours).and_then(text);
        Some((number, said.unwrap_or_default()))
    };
    entries.into_iter().filter_map(entry).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use redis::{ErrorKind, ServerErrorKind};
    use std::io;

    /// What a server that is none, is silent or has too few databases comes to is told in words.
    #[test]
    fn troubles_are_told_in_words() {
        let kind = ErrorKind::Server(ServerErrorKind::ResponseError);
        let detail = "DB index is out of range".to_string();
        let no_database = RedisError::from((kind, "Redis server refused", detail));
        let foreign = RedisError::from((ErrorKind::Parse, "Unexpected `84`"));
        let silent = RedisError::from(io::Error::from(io::ErrorKind::WouldBlock));
        for (error, said, is_refused) in [
            (no_database, "it has no database of this number", true),
            (
                foreign,
                "what answers there is no Redis or Valkey server",
                false,
            ),
            (silent, "it does not answer", false),
        ] {
            let trouble = Trouble::from(error);
            assert_eq!(
                (trouble.said.as_str(), trouble.is_refused),
                (said, is_refused)
            );
        }
    }
}
