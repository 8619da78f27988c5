//! What every engine that speaks a protocol itself begins with: a runtime for its connections, and a connection.

use std::io::{self, ErrorKind};
use std::net::{SocketAddr, ToSocketAddrs as _};
use std::panic::resume_unwind;
use std::thread;
use std::time::{Duration, Instant};

use sharemark_model::{Address, Failure, FailureCode, Operation};
use tokio::net::TcpStream;
use tokio::runtime::{Builder, Runtime};
use tokio::sync::oneshot;
use tokio::time::timeout;

use crate::answer::failure_from;

/// A server that has not taken a connection by then does not answer: less than the time after which nobody waits for
/// this process any more, so that it can say so itself.
pub(crate) const CONNECT_LIMIT: Duration = Duration::from_secs(10);

/// As many connections are made at once. OpenSSH's server begins to turn connections away at ten that are not logged in
/// (`MaxStartups`).
const MADE_AT_ONCE: usize = 8;

/// A runtime for an engine's connections. The measured loop's threads wait for what its few threads move.
pub(crate) fn runtime(address: &Address) -> Result<Runtime, Failure> {
    Builder::new_multi_thread()
        .worker_threads(2)
        .thread_name("connection")
        .enable_all()
        .build()
        .map_err(|error| failure_from(&error, Operation::Worker, address.to_string()))
}

/// A connection, and how long it took from the name's resolution to the handshake.
#[derive(Debug)]
pub(crate) struct Dialled {
    /// The connection, without Nagle's delay.
    pub(crate) stream: TcpStream,
    /// The address it goes to.
    pub(crate) peer: SocketAddr,
    /// The time of the TCP handshake that succeeded.
    pub(crate) took: Duration,
}

/// Connects to the server: to each of its addresses in turn until one answers. All of it, with the name's resolution, has
/// [`CONNECT_LIMIT`].
pub(crate) async fn dial(address: &Address) -> Result<Dialled, Failure> {
    let place = || address.to_string();
    let deadline = Instant::now() + CONNECT_LIMIT;
    let (host, port) = (address.host.clone(), address.port());
    let resolved =
        resolve(move || Ok((host.as_str(), port).to_socket_addrs()?.collect()), CONNECT_LIMIT).await;
    let found = match resolved {
        Ok(found) if !found.is_empty() => found,
        nothing => {
            let error = nothing.err().unwrap_or_else(|| ErrorKind::NotFound.into());
            return Err(Failure::new(FailureCode::UnknownHost, Operation::Connect, place())
                .with_system(error.to_string()));
        }
    };
    let connected = in_turn(&found, deadline, async |peer, limit| {
        let begun = Instant::now();
        let stream = timeout(limit, TcpStream::connect(peer)).await.unwrap_or_else(|_| Err(late()))?;
        Ok(Dialled { stream, peer, took: begun.elapsed() })
    });
    let last = match connected.await {
        Ok(dialled) => {
            dialled
                .stream
                .set_nodelay(true)
                .map_err(|error| failure_from(&error, Operation::Connect, place()))?;
            return Ok(dialled);
        }
        Err(last) => last,
    };
    let failure = failure_from(&last, Operation::Connect, place());
    let refused = last.kind() == ErrorKind::ConnectionRefused;
    Err(if refused { Failure { code: FailureCode::Refused, ..failure } } else { failure })
}

/// Waits for `look_up` for at most `limit`. The system's resolver cannot be stopped, so it has a thread of its own, which
/// is left to itself: one of the runtime's would keep whoever drops the runtime waiting for it.
async fn resolve(
    look_up: impl FnOnce() -> io::Result<Vec<SocketAddr>> + Send + 'static,
    limit: Duration,
) -> io::Result<Vec<SocketAddr>> {
    let (tell, told) = oneshot::channel();
    thread::Builder::new().name("resolver".to_owned()).spawn(move || {
        // Nobody listens when it comes too late.
        tell.send(look_up()).ok();
    })?;
    match timeout(limit, told).await {
        Ok(Ok(looked_up)) => looked_up,
        Ok(Err(_)) => Err(ErrorKind::NotFound.into()),
        Err(_) => Err(late()),
    }
}

fn late() -> io::Error {
    ErrorKind::TimedOut.into()
}

/// Tries one address after the other until `deadline`, each for its share of what is left, so that one that does not answer
/// takes nothing from the others. The last one's error is answered.
async fn in_turn<T>(
    peers: &[SocketAddr],
    deadline: Instant,
    connect: impl AsyncFn(SocketAddr, Duration) -> io::Result<T>,
) -> io::Result<T> {
    let mut last = io::Error::from(ErrorKind::NotFound);
    for (peer, untried) in peers.iter().zip((1..=peers.len()).rev()) {
        let left = deadline.saturating_duration_since(Instant::now());
        let share = left / u32::try_from(untried).unwrap_or(u32::MAX);
        match connect(*peer, share).await {
            Ok(connected) => return Ok(connected),
            Err(error) => last = error,
        }
    }
    Err(last)
}

/// Makes `count` of something that has to be waited for, a few at once.
///
/// # Errors
/// The first error of a batch, after which no other batch is begun.
pub(crate) fn in_batches<T: Send, E: Send>(
    count: usize,
    make: impl Fn() -> Result<T, E> + Sync,
) -> Result<Vec<T>, E> {
    let mut all = Vec::new();
    while all.len() < count {
        let batch = MADE_AT_ONCE.min(count - all.len());
        let made: Vec<_> = thread::scope(|scope| {
            let others: Vec<_> =
                (1..batch).map(|_| thread::Builder::new().spawn_scoped(scope, &make)).collect();
            let own = make();
            // Without a thread for it, it is made here.
            let others = others.into_iter().map(|other| match other {
                Ok(other) => other.join().unwrap_or_else(|panic| resume_unwind(panic)),
                Err(_) => make(),
            });
            [own].into_iter().chain(others).collect()
        });
        for one in made {
            all.push(one?);
        }
    }
    Ok(all)
}

#[cfg(test)]
mod tests {
    use std::cell::RefCell;
    use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
    use std::sync::{Arc, Condvar, Mutex};

    use super::*;

    fn dialled(url: &str) -> Result<SocketAddr, FailureCode> {
        let address = Address::of(&url.parse().unwrap()).unwrap().unwrap().address;
        let found = runtime(&address).unwrap().block_on(dial(&address));
        found.map(|dialled| dialled.peer).map_err(|failure| failure.code)
    }

    #[test]
    fn a_closed_port_and_an_unknown_name_are_told_apart() {
        let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
        let open = listener.local_addr().unwrap();
        assert_eq!(dialled(&format!("smb://{open}/x")), Ok(open));
        drop(listener);
        assert_eq!(dialled(&format!("smb://{open}/x")), Err(FailureCode::Refused));
        assert_eq!(dialled("smb://no-such-host.invalid/x"), Err(FailureCode::UnknownHost));
    }

    #[test]
    fn a_lookup_that_does_not_end_keeps_nobody_waiting() {
        let (release, released) = std::sync::mpsc::channel::<()>();
        let ended = Arc::new(AtomicBool::new(false));
        let in_lookup = ended.clone();
        let look_up = move || {
            released.recv_timeout(Duration::from_secs(10)).ok();
            in_lookup.store(true, Ordering::SeqCst);
            Ok(Vec::new())
        };
        let runtime = Builder::new_current_thread().enable_all().build().unwrap();
        let error = runtime.block_on(resolve(look_up, Duration::from_millis(20))).unwrap_err();
        drop(runtime);
        assert_eq!((error.kind(), ended.load(Ordering::SeqCst)), (ErrorKind::TimedOut, false));
        drop(release);
    }

    #[test]
    fn all_addresses_of_a_host_share_one_limit() {
        let peers: Vec<SocketAddr> = (1..=4).map(|port| ([127, 0, 0, 1], port).into()).collect();
        let runtime = Builder::new_current_thread().enable_all().build().unwrap();
        let limit = Duration::from_millis(200);
        let granted = RefCell::new(Vec::new());
        let nobody = in_turn(&peers, Instant::now() + limit, async |peer, share| {
            granted.borrow_mut().push((peer, share));
            tokio::time::sleep(share).await;
            io::Result::<()>::Err(ErrorKind::TimedOut.into())
        });
        assert_eq!(runtime.block_on(nobody).unwrap_err().kind(), ErrorKind::TimedOut);
        let (asked, shares): (Vec<_>, Vec<_>) = granted.into_inner().into_iter().unzip();
        assert_eq!(asked, peers);
        assert!(shares.iter().sum::<Duration>() <= limit, "{shares:?}");
        let last = in_turn(&peers, Instant::now() + limit, async |peer: SocketAddr, _| {
            if peer.port() == 4 { Ok(peer) } else { Err(ErrorKind::ConnectionRefused.into()) }
        });
        assert_eq!(runtime.block_on(last).unwrap(), peers[3]);
    }

    #[test]
    fn connections_are_made_a_few_at_once() {
        let (state, changed) = (Mutex::new((0, 0)), Condvar::new());
        let made = in_batches(20, || {
            let mut now_and_most = state.lock().unwrap();
            now_and_most.0 += 1;
            now_and_most.1 = now_and_most.0.max(now_and_most.1);
            changed.notify_all();
            let wait = Duration::from_secs(10);
            let alone = |state: &mut (usize, usize)| state.1 < MADE_AT_ONCE;
            let mut now_and_most = changed.wait_timeout_while(now_and_most, wait, alone).unwrap().0;
            now_and_most.0 -= 1;
            drop(now_and_most);
            Ok::<_, ()>(())
        });
        assert_eq!(made.map(|made| made.len()), Ok(20));
        assert_eq!(state.into_inner().unwrap(), (0, MADE_AT_ONCE));
        let count = AtomicUsize::new(0);
        let failed =
            in_batches(20, || if count.fetch_add(1, Ordering::SeqCst) == 2 { Err(()) } else { Ok(()) });
        assert_eq!((failed, count.into_inner()), (Err(()), MADE_AT_ONCE));
    }
}
