//! nginx with its two WebDAV modules.

use std::fs;
use std::io::{self, Write};
use std::path::Path;

use sharemark_model::{Bytes, Durability, FailureCode, FileName, FolderName};
use sharemark_target::{WriteOptions, reach};

use super::apache::{Daemon, free_port, own_by};
use super::{ABLE, share};
use crate::{conformance, server};

/// Where Debian keeps the module that answers PROPFIND.
const MODULE: &str = "/usr/lib/nginx/modules/ngx_http_dav_ext_module.so";

fn start(extra: &str) -> Option<(Daemon, u16)> {
    if !server::available("nginx") {
        return None;
    }
    if !Path::new(MODULE).exists() {
        assert!(std::env::var("SHAREMARK_LAB").as_deref() != Ok("1"), "{MODULE} is not there");
        writeln!(io::stderr(), "skipped: {MODULE} is not there").ok();
        return None;
    }
    let folder = tempfile::tempdir().unwrap();
    let (root, port) = (folder.path().to_str().unwrap().to_owned(), free_port());
    fs::create_dir(format!("{root}/files")).unwrap();
    own_by("www-data", folder.path());
    let text = format!(
        "load_module {MODULE};\nuser www-data;\nworker_processes 1;\ndaemon off;\npid {root}/pid;\nerror_log {root}/errors;\n\
         events {{}}\nhttp {{ access_log off; client_body_temp_path {root}/body; proxy_temp_path {root}/proxy;\n\
         fastcgi_temp_path {root}/fastcgi; uwsgi_temp_path {root}/uwsgi; scgi_temp_path {root}/scgi;\n\
         server {{ listen 127.0.0.1:{port}; root {root}/files; {extra} location / {{\n\
         dav_methods PUT DELETE MKCOL COPY MOVE; dav_ext_methods PROPFIND OPTIONS; }} }} }}\n"
    );
    fs::write(format!("{root}/conf"), text).unwrap();
    Some((Daemon::start("nginx", &["-c", &format!("{root}/conf"), "-p", &root], folder, port), port))
}

#[test]
fn nginx_conforms() {
    let Some((_daemon, port)) = start("client_max_body_size 0;") else { return };
    conformance::check(&share(&format!("webdav://127.0.0.1:{port}/")), ABLE);
}

#[test]
fn a_file_too_large_for_nginx_is_refused_before_its_first_byte() {
    let Some((_daemon, port)) = start("client_max_body_size 2m;") else { return };
    let target = reach(&share(&format!("webdav://127.0.0.1:{port}/"))).unwrap();
    let folder = FolderName::for_run("large").unwrap();
    let file = FileName::try_from("r001.bin".to_owned()).unwrap();
    target.create_folder(&folder).unwrap();
    let options = |size| WriteOptions {
        durability: Durability::Flush,
        size: Bytes(size),
        block: Bytes(1 << 20),
        depth: 1,
    };
    let failure = target.create(&folder, &file, &options(3 << 20)).err().unwrap();
    assert_eq!(failure.code, FailureCode::TooLarge);
    assert_eq!(failure.system.as_deref(), Some("413 Request Entity Too Large"));
    let writer = target.create(&folder, &file, &options(2 << 20)).unwrap();
    writer.write(&vec![1; 2 << 20], 0).unwrap();
    writer.close().unwrap();
    assert_eq!(target.size_of(&folder, &file).unwrap(), Bytes(2 << 20));
}
