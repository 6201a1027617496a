# Homebrew formula for the tap `lispmeister/hashline`. `cargo xtask dist` fills in version, archive and checksum, and writes it to target/dist.
class Hashline < Formula
  desc "File editing for coding agents: lines have anchors, and edits name anchors"
  homepage "https://github.com/lispmeister/hashline"
  version "@VERSION@"
  url "https://github.com/lispmeister/hashline/releases/download/v@VERSION@/@ARCHIVE@"
  sha256 "@SHA256@"
  license any_of: ["MIT", "Apache-2.0"]

  def install
    bin.install "hashline"
    man1.install Dir["man/man1/*.1"]
    bash_completion.install "completions/hashline.bash" => "hashline"
    zsh_completion.install "completions/_hashline"
    fish_completion.install "completions/hashline.fish"
  end

  test do
    (testpath/"a.txt").write "one\ntwo\n"
    assert_equal "1:60|one\n2:f4|two\n", shell_output("#{bin}/hashline read a.txt")
  end
end
