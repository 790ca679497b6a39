//! Where the server of tasks is. The password comes by URL, environment or file and is never shown.

use super::message::{clean, is_name};
use redis::{ConnectionAddr, ConnectionInfo, IntoConnectionInfo as _};
use std::fmt;

/// The variable of the environment with the password.
pub const PASSWORD: &str = "EYAS_REDIS_PASSWORD";
/// The variable of the environment with the name of a file that has the password.
pub const PASSWORD_FILE: &str = "EYAS_REDIS_PASSWORD_FILE";

/// A server of tasks.
#[derive(Clone)]
pub struct Address {
    pub(super) info: ConnectionInfo,
    shown: String,
}

impl Address {
    /// The server with this URL, `redis://host:port/number`; a password that it lacks is taken from the
    /// environment.
    ///
    /// # Errors
    /// It is no such URL, or the file with the password can't be read. User and password are not repeated.
    pub fn new(url: &str) -> Result<Address, String> {
        let said = std::env::var(PASSWORD).ok();
        let password = match (said, std::env::var_os(PASSWORD_FILE)) {
            (Some(password), _) => Some(password),
            (None, Some(file)) => {
                let text = std::fs::read_to_string(&file);
                let text = text.map_err(|error| {
                    let file = std::path::Path::new(&file).display();
                    format!("cannot read {file}, which {PASSWORD_FILE} names: {error}")
                })?;
                Some(text.lines().next().unwrap_or_default().to_string())
            }
            (None, None) => None,
        };
        Address::parsed(url, password.as_deref())
    }

    fn parsed(url: &str, password: Option<&str>) -> Result<Address, String> {
        let (scheme, rest) = match url.split_once("://") {
            Some((scheme @ ("redis" | "rediss"), rest)) => (scheme, rest),
            _ => return Err(refused("does not begin with redis://")),
        };
        // What stands before the last @ may be a password.
        let place = rest.rsplit_once('@').map_or(rest, |(_, place)| place);
        let wrong = || refused(&format!("can't be read: {scheme}://{}", clean(place)));
        if let Some(mark) = place.find(['?', '#']) {
            let place = place.get(..mark).unwrap_or_default();
            let shown = format!("{scheme}://{}", clean(place));
            return Err(refused(&format!("has something behind {shown}")));
        }
        if scheme == "rediss" && !cfg!(feature = "rediss") {
            return Err(
                "rediss:// needs a program built with `--features rediss`; a tunnel by SSH does without"
                    .to_string(),
            );
        }
        #[cfg(feature = "rediss")]
        let _ = rustls::crypto::ring::default_provider().install_default();
        let info = url.into_connection_info();
        let mut info = info.map_err(|_| wrong())?;
        let settings = info.redis_settings().clone();
        let number = settings.db();
        if number < 0 {
            return Err(wrong());
        }
        let password = password.filter(|password| !password.is_empty());
        if let (None, Some(password)) = (settings.password(), password) {
            info = info.set_redis_settings(settings.set_password(password));
        }
        let shown = format!("{scheme}://{}/{number}", place_of(info.addr()));
        Ok(Address { info, shown })
    }

    /// The URL as it may be written down: with the user, without the password.
    pub fn without_password(&self) -> String {
        let settings = self.info.redis_settings();
        let user = settings.username().filter(|user| is_name(user));
        let user = user.map_or(String::new(), |user| format!("://{user}@"));
        match user.is_empty() {
            true => self.shown.clone(),
            false => self.shown.replacen("://", &user, 1),
        }
    }
}

/// Host and port as a URL has them: an IPv6 address in brackets.
fn place_of(address: &ConnectionAddr) -> String {
    match address {
        ConnectionAddr::Tcp(host, port) | ConnectionAddr::TcpTls { host, port, .. }
            if host.contains(':') && !host.starts_with('[') =>
        {
            format!("[{host}]:{port}")
        }
        other => other.to_string(),
    }
}

fn refused(what: &str) -> String {
    format!("the URL of the server of tasks {what}, expected redis://host:port/number")
}

/// Without user and password.
impl fmt::Display for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.shown)
    }
}

impl fmt::Debug for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.shown)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Neither what is shown nor what is said of a mistake has a secret.
    #[test]
    fn no_text_has_the_password() {
        let url = "redis://ann:s3cret@host.example:6380/2";
        let address = Address::parsed(url, None).unwrap();
        assert_eq!(address.to_string(), "redis://host.example:6380/2");
        assert_eq!(format!("{address:?}"), address.to_string());
        let settings = address.info.redis_settings();
        assert_eq!(
            (settings.username(), settings.password()),
            (Some("ann"), Some("s3cret"))
        );
        for wrong in [
            "http://:s3cret@host",
            "redis://:s3cret@host:port",
            "s3cret",
            "",
        ] {
            let error = Address::parsed(wrong, None).unwrap_err();
            assert!(
                !error.contains("s3cret") && error.contains("expected redis://"),
                "{error}"
            );
        }
    }

    /// What is shown can be given again, and what is refused says which part it is about.
    #[test]
    fn urls_are_shown_as_they_are_written() {
        for url in ["redis://[::1]:1/0", "redis://host:7/3"] {
            let address = Address::parsed(url, None).unwrap();
            assert_eq!(address.to_string(), url);
        }
        for (url, shown) in [
            ("redis://h:99999/0", "redis://h:99999/0"),
            ("redis://h/-1", "redis://h/-1"),
            ("redis://ann:s3cret@h:port", "redis://h:port"),
        ] {
            let error = Address::parsed(url, None).unwrap_err();
            let expected = format!(
                "the URL of the server of tasks can't be read: {shown}, expected redis://host:port/number"
            );
            assert_eq!(error, expected);
        }
    }

    /// What the server would not be asked for is not passed over, and is not repeated: it may be a secret.
    #[test]
    fn nothing_stands_behind_the_number() {
        for url in [
            "redis://h/0?password=s3cret",
            "redis://h/0#s3cret",
            "redis://h/0?",
        ] {
            assert_eq!(
                Address::parsed(url, None).unwrap_err(),
                "the URL of the server of tasks has something behind redis://h/0, expected redis://host:port/number"
            );
        }
    }

    #[test]
    fn the_environment_has_what_the_url_lacks() {
        let password = |url: &str| {
            let address = Address::parsed(url, Some("other")).unwrap();
            address.info.redis_settings().password().map(str::to_string)
        };
        assert_eq!(password("redis://localhost").as_deref(), Some("other"));
        // A server without a password would refuse an empty one.
        let address = Address::parsed("redis://localhost", Some("")).unwrap();
        assert_eq!(address.info.redis_settings().password(), None);
        assert_eq!(
            password("redis://ann:own@localhost").as_deref(),
            Some("own")
        );
    }
}
