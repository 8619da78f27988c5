//! HTTPS: whom to trust, and what a refusal means.

use std::error::Error;
use std::io;
use std::sync::Arc;

use rustls::crypto::ring;
use rustls::pki_types::CertificateDer;
use rustls::pki_types::pem::PemObject as _;
use rustls::{ClientConfig, ClientConnection, RootCertStore};
use sharemark_model::{Failure, FailureCode, Operation};

use crate::ServerAnswer;
use crate::answer::failure_from;

/// Trusts the system's certificates and those in `ca_file` (PEM), and nobody else: there is no way to leave the check out.
pub(super) fn configuration(ca_file: Option<&str>) -> Result<Arc<ClientConfig>, Failure> {
    let mut roots = RootCertStore::empty();
    // What cannot be read is left out: a server whose certificate hangs on it is then refused.
    roots.add_parsable_certificates(rustls_native_certs::load_native_certs().certs);
    if let Some(path) = ca_file {
        for certificate in in_file(path)? {
            roots.add(certificate).map_err(|error| no_certificate(path, &error))?;
        }
    }
    let configuration = ClientConfig::builder_with_provider(Arc::new(ring::default_provider()))
        .with_safe_default_protocol_versions()
        .map_err(|error| no_certificate("TLS", &error))?;
    let mut configuration = configuration.with_root_certificates(roots).with_no_client_auth();
    configuration.alpn_protocols = vec![b"http/1.1".to_vec()];
    Ok(Arc::new(configuration))
}

fn in_file(path: &str) -> Result<Vec<CertificateDer<'static>>, Failure> {
    let bytes = std::fs::read(path).map_err(|error| failure_from(&error, Operation::Connect, path))?;
    let found: Result<Vec<_>, _> = CertificateDer::pem_slice_iter(&bytes).collect();
    let found = found.map_err(|error| no_certificate(path, &error))?;
    if found.is_empty() {
        return Err(no_certificate(path, &rustls::Error::NoCertificatesPresented));
    }
    Ok(found)
}

fn no_certificate(place: &str, error: &dyn Error) -> Failure {
    Failure::new(FailureCode::Certificate, Operation::Connect, place).with_system(error.to_string())
}

/// What a failed handshake means.
pub(super) fn refusal(error: io::Error) -> io::Error {
    let Some(found) = error.get_ref().and_then(|inner| inner.downcast_ref::<rustls::Error>()) else {
        return match error.kind() {
            io::ErrorKind::UnexpectedEof => io::ErrorKind::ConnectionAborted.into(),
            _ => error,
        };
    };
    let code = match found {
        rustls::Error::InvalidCertificate(_) | rustls::Error::NoCertificatesPresented => {
            FailureCode::Certificate
        }
        rustls::Error::PeerIncompatible(_) | rustls::Error::AlertReceived(_) => FailureCode::Encryption,
        _ => FailureCode::Protocol,
    };
    ServerAnswer::new(code, found.to_string()).into()
}

/// The version and the cipher suite that both sides agreed on: `TLS 1.3, TLS13_AES_128_GCM_SHA256`.
pub(super) fn agreed(connection: &ClientConnection) -> String {
    let version = match connection.protocol_version() {
        Some(rustls::ProtocolVersion::TLSv1_2) => "TLS 1.2".to_owned(),
        Some(rustls::ProtocolVersion::TLSv1_3) => "TLS 1.3".to_owned(),
        other => format!("{other:?}"),
    };
    match connection.negotiated_cipher_suite() {
        Some(suite) => format!("{version}, {:?}", suite.suite()),
        None => version,
    }
}
