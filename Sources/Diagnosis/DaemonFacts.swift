import Vocabulary

/// The daemon of this machine, and its version.
package struct DaemonFacts: Facts, Hashable {
    package enum Presence: Hashable, Sendable {
        case noDaemon
        case daemon(version: String, words: String)
        /// A daemon has a socket, but did not answer in time.
        case silent(words: String)
    }

    /// Version of this program.
    package let version: String
    package let presence: Presence
    /// True if a service manager of this user could start it.
    package let hasSystemd: Bool
    /// Time after which a request for the peers ended without a response; nil if it was answered.
    package var peersSilentWithin: Duration?

    package init(version: String, presence: Presence, hasSystemd: Bool) {
        (self.version, self.presence, self.hasSystemd) = (version, presence, hasSystemd)
    }

    package var findings: [Finding] {
        switch presence {
        case .noDaemon:
            let finding = Finding.fault(
                .daemon,
                "no huddled runs here",
                why: "without it this machine is offline to others, receives nothing, and syncs no saves",
                fix: [hasSystemd ? "systemctl --user enable --now huddled" : "huddled"]
            )
            return [hasSystemd ? finding.repaired(by: .startDaemon) : finding]
        case .silent(let words):
            let finding = Finding.fault(
                .daemon,
                "huddled does not answer (\(words))",
                why: "it has its socket but does not answer; the end of its log may show the reason",
                fix: hasSystemd
                    ? ["journalctl --user -u huddled -n 20", "systemctl --user restart huddled"] : ["huddled"]
            )
            return [hasSystemd ? finding.repaired(by: .restartDaemon) : finding]
        case .daemon(let running, let words):
            return [.well(.daemon, words)] + [silence, comparison(with: running)].compactMap(\.self)
        }
    }

    private var silence: Finding? {
        guard let peersSilentWithin else { return nil }
        return .warning(
            .daemon,
            "huddled did not list the other machines within \(peersSilentWithin.components.seconds) seconds",
            why: "the clocks and versions of other machines were not compared; this one may be very busy",
            fix: ["huddle peers", "huddle doctor"]
        )
    }

    private func comparison(with running: String) -> Finding {
        if running == version { return .well(.version, "huddle and huddled are both \(version)") }
        let finding = Finding.fault(
            .version,
            "huddle is \(version) and huddled is \(PrintableText(running, limit: 40))",
            why: "the daemon was not restarted after an update of huddle, or two versions are installed",
            fix: hasSystemd ? ["systemctl --user restart huddled"] : ["huddled"]
        )
        return hasSystemd ? finding.repaired(by: .restartDaemon) : finding
    }
}
