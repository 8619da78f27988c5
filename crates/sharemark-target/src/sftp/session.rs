//! An SFTP session in a channel: requests go out, answers find the thread that waits for them.
//!
//! Any number of requests are under way at once. A request is put together by the thread that asks, which is the only
//! copy made here of what is written (russh makes its own when it encrypts); what is read goes from the channel's packets
//! to its place by the thread that waits for
//! it. What is held is what is asked for, so it does not grow with the file.

mod blocks;

use std::collections::HashMap;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use bytes::Bytes;
use russh::client::Msg;
use russh::{Channel, ChannelMsg, ChannelReadHalf, ChannelWriteHalf};
use tokio::sync::{mpsc, oneshot};

use super::packet::{self, Assembler, Attributes, Fields, Malformed, Reply, Request};
use super::status::{self, Fault};

/// The bytes of one read or write where the server does not tell its limits: what every server has to take.
const USUAL_LENGTH: usize = 32 << 10;

/// OpenSSH's own client asks for no more at once (its largest message, 256 KiB, less what stands around the data).
const LONGEST: u64 = (256 << 10) - 1024;

/// A told limit below this is a mistake: a block would become thousands of requests.
const SHORTEST: u64 = 4096;

/// The number under which the answer to the first packet is waited for, which carries none.
const FIRST: u32 = u32::MAX;

const LIMITS: &str = "limits@openssh.com";
const FSYNC: &str = "fsync@openssh.com";
const STATVFS: &str = "statvfs@openssh.com";

/// How a file is opened (draft-ietf-secsh-filexfer-02, section 6.3).
#[derive(Clone, Copy, Debug)]
pub(super) enum Opening {
    /// To read.
    Read = 0x01,
    /// To write into what is there.
    Write = 0x02,
    /// To write into a file that is made by this and must not be there.
    Create = 0x02 | 0x08 | 0x20,
}

/// What the file system behind a path says of itself (OpenSSH's `PROTOCOL`, section 4.5).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct FileSystem {
    /// Bytes that this user can still write.
    pub(super) free: u64,
    /// Its size in bytes.
    pub(super) total: u64,
    /// Whether it is read-only.
    pub(super) read_only: bool,
}

/// Who waits for which answer.
#[derive(Debug)]
struct Pending {
    /// `None` once no answer can come any more.
    waiting: Mutex<Option<HashMap<u32, oneshot::Sender<Reply>>>>,
    /// What the server said before it was gone.
    heard: Mutex<Option<String>>,
}

impl Pending {
    fn waiting(&self) -> MutexGuard<'_, Option<HashMap<u32, oneshot::Sender<Reply>>>> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn hear(&self, text: impl Into<String>) {
        self.heard.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(text.into());
    }

    fn gone(&self) -> Fault {
        let heard = self.heard.lock().unwrap_or_else(PoisonError::into_inner).clone();
        Fault::Gone(heard.unwrap_or_else(|| "connection lost (SSH)".to_owned()))
    }

    /// Gives an answer to the one who waits. Who gave up, because another part of the block failed, hears nothing.
    fn answer(&self, reply: Reply) {
        let number = if reply.kind == packet::VERSION { FIRST } else { reply.number };
        let waiter = self.waiting().as_mut().and_then(|waiting| waiting.remove(&number));
        if let Some(waiter) = waiter {
            waiter.send(reply).ok();
        }
    }
}

/// An SFTP session.
#[derive(Debug)]
pub(super) struct Session {
    outgoing: mpsc::UnboundedSender<Bytes>,
    pending: Arc<Pending>,
    number: AtomicU32,
    extensions: HashMap<String, String>,
    /// The most bytes of one read.
    pub(super) read_length: usize,
    /// The most bytes of one write.
    pub(super) write_length: usize,
}

impl Session {
    /// Begins SFTP in a channel in which the server has started it.
    pub(super) async fn begin(channel: Channel<Msg>) -> Result<Self, Fault> {
        let (from, to) = channel.split();
        let (outgoing, packets) = mpsc::unbounded_channel();
        let pending =
            Arc::new(Pending { waiting: Mutex::new(Some(HashMap::new())), heard: Mutex::new(None) });
        let sender = tokio::spawn(send(to, packets)).abort_handle();
        let waiters = Arc::clone(&pending);
        tokio::spawn(async move {
            receive(from, &waiters).await;
            // Who waits learns it at once; and the sender may wait for a window that nobody will open.
            waiters.waiting().take();
            sender.abort();
        });
        let mut session = Self::new(outgoing, pending);
        session.agree().await?;
        Ok(session)
    }

    /// A session of which nothing is agreed on yet.
    fn new(outgoing: mpsc::UnboundedSender<Bytes>, pending: Arc<Pending>) -> Self {
        Self {
            outgoing,
            pending,
            number: AtomicU32::new(0),
            extensions: HashMap::new(),
            read_length: USUAL_LENGTH,
            write_length: USUAL_LENGTH,
        }
    }

    /// Tells the version and asks for the limits.
    async fn agree(&mut self) -> Result<(), Fault> {
        // The version stands where other packets have their number.
        let answer = self.post(FIRST, Request::new(packet::INIT, packet::SPOKEN, 0).finish())?;
        let version = self.heard(answer.await)?;
        if version.kind != packet::VERSION || version.number < packet::SPOKEN {
            return Err(Fault::Malformed);
        }
        let mut fields = Fields::new(version.flat());
        while !fields.is_empty() {
            self.extensions.insert(fields.text()?, fields.text()?);
        }
        if !self.offers(LIMITS) {
            return Ok(());
        }
        let answer = self.start(packet::EXTENDED, 32, |request| request.string(LIMITS.as_bytes()))?;
        let limits = self.heard(answer.await)?;
        if limits.kind == packet::EXTENDED_REPLY {
            let mut fields = Fields::new(limits.flat());
            let (_packet, read, write) = (fields.u64()?, fields.u64()?, fields.u64()?);
            self.read_length = allowed(read);
            self.write_length = allowed(write);
        }
        Ok(())
    }

    fn offers(&self, extension: &str) -> bool {
        self.extensions.contains_key(extension)
    }

    /// Whether the server can be asked to make a file durable.
    pub(super) fn offers_fsync(&self) -> bool {
        self.offers(FSYNC)
    }

    /// Sends a request whose answer will come under `number`.
    fn post(&self, number: u32, request: Bytes) -> Result<oneshot::Receiver<Reply>, Fault> {
        let (answer, waiter) = oneshot::channel();
        match self.pending.waiting().as_mut() {
            Some(waiting) => waiting.insert(number, answer),
            None => return Err(self.pending.gone()),
        };
        self.outgoing.send(request).map_err(|_| self.pending.gone())?;
        Ok(waiter)
    }

    /// Puts a request together and sends it.
    fn start(
        &self,
        kind: u8,
        room: usize,
        fields: impl FnOnce(Request) -> Request,
    ) -> Result<oneshot::Receiver<Reply>, Fault> {
        let number = self.number.fetch_add(1, Ordering::Relaxed);
        self.post(number, fields(Request::new(kind, number, room)).finish())
    }

    fn heard<E>(&self, answer: Result<Reply, E>) -> Result<Reply, Fault> {
        answer.map_err(|_| self.pending.gone())
    }

    /// Waits for an answer, for as long as the connection stands.
    fn wait(&self, answer: oneshot::Receiver<Reply>) -> Result<Reply, Fault> {
        self.heard(answer.blocking_recv())
    }

    /// Asks and waits for an answer of type `wanted`.
    fn ask(&self, kind: u8, wanted: u8, fields: impl FnOnce(Request) -> Request) -> Result<Fields, Fault> {
        expect(self.wait(self.start(kind, 256, fields)?)?, wanted)
    }

    /// Asks for something that is answered by a status.
    fn tell(&self, kind: u8, fields: impl FnOnce(Request) -> Request) -> Result<(), Fault> {
        done(self.wait(self.start(kind, 256, fields)?)?)
    }

    /// The path with every link followed, as the server sees it.
    pub(super) fn real_path(&self, path: &str) -> Result<String, Fault> {
        let mut names =
            self.ask(packet::REALPATH, packet::NAME, |request| request.string(path.as_bytes()))?;
        if names.u32()? == 0 { Err(Fault::Malformed) } else { Ok(names.text()?) }
    }

    /// What is at the end of a path, through every link.
    pub(super) fn attributes(&self, path: &str) -> Result<Attributes, Fault> {
        let mut found = self.ask(packet::STAT, packet::ATTRS, |request| request.string(path.as_bytes()))?;
        Ok(found.attributes()?)
    }

    /// What is at a path, be it a link.
    pub(super) fn own_attributes(&self, path: &str) -> Result<Attributes, Fault> {
        let mut found = self.ask(packet::LSTAT, packet::ATTRS, |request| request.string(path.as_bytes()))?;
        Ok(found.attributes()?)
    }

    /// What the file system behind a path says of itself; `None` where the server cannot be asked.
    pub(super) fn file_system(&self, path: &str) -> Result<Option<FileSystem>, Fault> {
        if !self.offers(STATVFS) {
            return Ok(None);
        }
        let fields = |request: Request| request.string(STATVFS.as_bytes()).string(path.as_bytes());
        let mut found = self.ask(packet::EXTENDED, packet::EXTENDED_REPLY, fields)?;
        let (_block, unit, blocks, _free) = (found.u64()?, found.u64()?, found.u64()?, found.u64()?);
        let available = found.u64()?;
        let (_files, _files_free, _files_available, _id) =
            (found.u64()?, found.u64()?, found.u64()?, found.u64()?);
        let flags = found.u64()?;
        Ok(Some(FileSystem {
            free: available.saturating_mul(unit),
            total: blocks.saturating_mul(unit),
            read_only: flags & 0x1 != 0,
        }))
    }

    /// Makes a folder.
    pub(super) fn make_folder(&self, path: &str) -> Result<(), Fault> {
        // No attributes: the server's own mode for new folders.
        self.tell(packet::MKDIR, |request| request.string(path.as_bytes()).u32(0))
    }

    /// Removes a file.
    pub(super) fn remove(&self, path: &str) -> Result<(), Fault> {
        self.tell(packet::REMOVE, |request| request.string(path.as_bytes()))
    }

    /// Removes an empty folder.
    pub(super) fn remove_folder(&self, path: &str) -> Result<(), Fault> {
        self.tell(packet::RMDIR, |request| request.string(path.as_bytes()))
    }

    /// How many entries a folder has.
    pub(super) fn entries(&self, path: &str) -> Result<u64, Fault> {
        let fields = |request: Request| request.string(path.as_bytes());
        let handle = self.ask(packet::OPENDIR, packet::HANDLE, fields)?.string()?;
        let counted = self.count(&handle);
        self.close(&handle).and(counted)
    }

    fn count(&self, handle: &[u8]) -> Result<u64, Fault> {
        let mut count = 0;
        loop {
            let mut names = match self.ask(packet::READDIR, packet::NAME, |request| request.string(handle)) {
                Ok(names) => names,
                Err(Fault::Status(status::EOF, _)) => return Ok(count),
                Err(fault) => return Err(fault),
            };
            let told = names.u32()?;
            // The end is told by a status; this could go on for ever.
            if told == 0 {
                return Err(Fault::Malformed);
            }
            for _ in 0..told {
                let (name, _shown) = (names.string()?, names.string()?);
                names.attributes()?;
                count += u64::from(!matches!(name.as_ref(), b"." | b".."));
            }
        }
    }

    /// Opens a file; its handle is good in this session only.
    pub(super) fn open(&self, path: &str, opening: Opening) -> Result<Bytes, Fault> {
        let fields = |request: Request| request.string(path.as_bytes()).u32(opening as u32).u32(0);
        Ok(self.ask(packet::OPEN, packet::HANDLE, fields)?.string()?)
    }

    /// Closes a handle.
    pub(super) fn close(&self, handle: &[u8]) -> Result<(), Fault> {
        self.tell(packet::CLOSE, |request| request.string(handle))
    }

    /// Makes what was written durable.
    pub(super) fn fsync(&self, handle: &[u8]) -> Result<(), Fault> {
        self.tell(packet::EXTENDED, |request| request.string(FSYNC.as_bytes()).string(handle))
    }
}

/// A limit as the server told it; zero is none, and less than any server means is not believed.
fn allowed(limit: u64) -> usize {
    let limit = if limit < SHORTEST { USUAL_LENGTH as u64 } else { limit.min(LONGEST) };
    usize::try_from(limit).unwrap_or(USUAL_LENGTH)
}

/// The fields of an answer of type `wanted`; a status is the fault that it tells.
fn expect(reply: Reply, wanted: u8) -> Result<Fields, Fault> {
    let mut fields = Fields::new(reply.flat());
    match reply.kind {
        kind if kind == wanted => Ok(fields),
        packet::STATUS => {
            let number = fields.u32()?;
            // Old servers leave the words away.
            Err(Fault::Status(number, fields.text().unwrap_or_default()))
        }
        _ => Err(Fault::Malformed),
    }
}

/// The end of what is answered by a status.
fn done(reply: Reply) -> Result<(), Fault> {
    let mut fields = expect(reply, packet::STATUS)?;
    match fields.u32()? {
        status::OK => Ok(()),
        number => Err(Fault::Status(number, fields.text().unwrap_or_default())),
    }
}

/// Sends requests in their order, as far as the server's window allows.
async fn send(to: ChannelWriteHalf<Msg>, mut packets: mpsc::UnboundedReceiver<Bytes>) {
    while let Some(packet) = packets.recv().await {
        if to.data_bytes(packet).await.is_err() {
            return;
        }
    }
    // Nobody asks any more.
    to.close().await.ok();
}

/// Takes what comes until nothing can come any more.
async fn receive(mut from: ChannelReadHalf, pending: &Pending) {
    let mut assembler = Assembler::default();
    while let Some(message) = from.wait().await {
        match message {
            // Nothing in it is no part of a packet.
            ChannelMsg::Data { data } if data.is_empty() => continue,
            ChannelMsg::Data { data } => assembler.push(data),
            // A server that cannot start its SFTP program says why here.
            ChannelMsg::ExtendedData { data, .. } => {
                pending.hear(String::from_utf8_lossy(&data).trim().chars().take(200).collect::<String>());
                continue;
            }
            ChannelMsg::Eof | ChannelMsg::Close => return,
            _ => continue,
        }
        loop {
            match assembler.next() {
                Ok(Some(reply)) => pending.answer(reply),
                Ok(None) => break,
                Err(Malformed) => {
                    pending.hear("SFTP: bad packet length");
                    return;
                }
            }
        }
    }
}

#[cfg(test)]
pub(super) mod tests;
