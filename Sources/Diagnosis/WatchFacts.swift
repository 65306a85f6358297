/// Limits of file watches for this user, and the number that games need.
package struct WatchFacts: Facts, Hashable {
    package let mostWatches: Int
    package let mostQueues: Int
    /// Number of watches of this user's programs, as far as it is known.
    package let watches: Int
    package let queues: Int
    /// Number of further watches that games need.
    package let needed: Int

    package init(mostWatches: Int, mostQueues: Int, watches: Int, queues: Int, needed: Int) {
        (self.mostWatches, self.mostQueues) = (mostWatches, mostQueues)
        (self.watches, self.queues, self.needed) = (watches, queues, needed)
    }

    package var findings: [Finding] {
        var findings: [Finding] = []
        let wanted = watches + needed
        if wanted * 10 >= mostWatches * 9 {
            let isTooMany = wanted >= mostWatches
            findings.append(
                Finding(
                    check: .watches,
                    grade: isTooMany ? .fault : .warning,
                    message: "\(wanted) folders and files need a watch, and the limit is \(mostWatches)",
                    explanation: isTooMany
                        ? "changes of saves are not noticed beyond it" : "little is left before changes go unnoticed",
                    commands: Self.raising("max_user_watches", to: max(524_288, wanted * 2))
                )
            )
        }
        if queues + 4 >= mostQueues {
            let isTooMany = queues >= mostQueues
            findings.append(
                Finding(
                    check: .watches,
                    grade: isTooMany ? .fault : .warning,
                    message: "\(queues) of \(mostQueues) queues for changes are in use",
                    explanation: "each program that watches folders uses some; huddled needs four",
                    commands: Self.raising("max_user_instances", to: max(1024, mostQueues * 2))
                )
            )
        }
        guard findings.isEmpty else { return findings }
        return [.well(.watches, "\(wanted) of \(mostWatches) watches on folders are in use or needed")]
    }

    private static func raising(_ limit: String, to value: Int) -> [String] {
        ["echo fs.inotify.\(limit)=\(value) | sudo tee -a /etc/sysctl.d/60-huddle.conf", "sudo sysctl --system"]
    }
}
