class Sharemark < Formula
  desc "Measures what a network share really gives you"
  homepage "@REPOSITORY@"
  version "@VERSION@"
  license any_of: ["MIT", "Apache-2.0"]

  on_macos do
    on_arm do
      url "@REPOSITORY@/releases/download/v@VERSION@/sharemark-@VERSION@-aarch64-apple-darwin.tar.gz"
      sha256 "@SHA256:sharemark-@VERSION@-aarch64-apple-darwin.tar.gz@"
    end
    on_intel do
      url "@REPOSITORY@/releases/download/v@VERSION@/sharemark-@VERSION@-x86_64-apple-darwin.tar.gz"
      sha256 "@SHA256:sharemark-@VERSION@-x86_64-apple-darwin.tar.gz@"
    end
  end
  on_linux do
    on_arm do
      url "@REPOSITORY@/releases/download/v@VERSION@/sharemark-@VERSION@-aarch64-unknown-linux-musl.tar.gz"
      sha256 "@SHA256:sharemark-@VERSION@-aarch64-unknown-linux-musl.tar.gz@"
    end
    on_intel do
      url "@REPOSITORY@/releases/download/v@VERSION@/sharemark-@VERSION@-x86_64-unknown-linux-musl.tar.gz"
      sha256 "@SHA256:sharemark-@VERSION@-x86_64-unknown-linux-musl.tar.gz@"
    end
  end

  def install
    bin.install "sharemark"
    doc.install Dir["*.md", "*.txt", "docs"]
  end

  test do
    assert_match version.to_s, shell_output("#{bin}/sharemark --version")
    ENV["SHAREMARK_DATA_DIR"] = testpath/"data"
    system bin/"sharemark", "run", testpath, "--size", "1MiB", "--runs", "2", "--pause", "0", "--settle", "0"
    assert_match "seq-write", shell_output("#{bin}/sharemark show --json -")
  end
end
