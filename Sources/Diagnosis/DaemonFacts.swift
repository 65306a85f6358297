import Vocabulary

/// Who is there for others on this machine, and which huddle each of them is.
package struct DaemonFacts: Facts, Hashable {
    package enum Presence: Hashable, Sendable {
        case nobody
        /// A daemon that answers.
        case daemon(version: String, words: String)
        /// Somebody says to be there, and has a socket where nobody answers in time.
        case silent(words: String)
    }

    /// Of this program.
    package let version: String
    package let presence: Presence
    /// Whether a service manager of this user could start it.
    package let hasSystemd: Bool
    /// How long it was asked in vain who else is there; nil where it said so.
    package var peersUntoldWithin: Duration?

    package init(version: String, presence: Presence, hasSystemd: Bool) {
        (self.version, self.presence, self.hasSystemd) = (version, presence, hasSystemd)
    }

    package var findings: [Finding] {
        switch presence {
        case .nobody:
            return [
                .fault(
                    .daemon,
                    "no huddled runs here",
                    why: "without it nobody sees this machine, nothing can come in, and saves stay as they are",
                    mend: [hasSystemd ? "systemctl --user enable --now huddled" : "huddled"]
                )
            ]
        case .silent(let words):
            return [
                .fault(
                    .daemon,
                    "huddled does not answer (\(words))",
                    why: "it holds its socket but says nothing; what it wrote last may tell why",
                    mend: hasSystemd
                        ? ["journalctl --user -u huddled -n 20", "systemctl --user restart huddled"] : ["huddled"]
                )
            ]
        case .daemon(let running, let words):
            return [.well(.daemon, words)] + [silence, comparison(with: running)].compactMap(\.self)
        }
    }

    private var silence: Finding? {
        guard let peersUntoldWithin else { return nil }
        return .warning(
            .daemon,
            "huddled did not say within \(peersUntoldWithin.components.seconds) seconds who else is there",
            why: "the clocks and versions of other machines were not compared; this one may be very busy",
            mend: ["huddle peers", "huddle doctor"]
        )
    }

    private func comparison(with running: String) -> Finding {
        if running == version { return .well(.version, "huddle and huddled are both \(version)") }
        return .fault(
            .version,
            "huddle is \(version) and huddled is \(PrintableText(running, limit: 40))",
            why: "the daemon was not started anew after huddle was brought up to date, or there are two of them",
            mend: hasSystemd ? ["systemctl --user restart huddled"] : ["huddled"]
        )
    }
}
