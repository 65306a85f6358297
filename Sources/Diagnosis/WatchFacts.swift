/// What the kernel lets a user watch, against what save sets need.
package struct WatchFacts: Facts, Hashable {
    package let mostWatches: Int
    package let mostQueues: Int
    /// Those that this user's programs have now, as far as they can be counted.
    package let watches: Int
    package let queues: Int
    /// What save sets need beyond that.
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
                    message: "\(wanted) folders and files are to be watched, and the limit is \(mostWatches)",
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
                    message: "\(queues) of \(mostQueues) queues for changes are taken",
                    explanation: "each program that watches folders takes some; huddled needs four",
                    commands: Self.raising("max_user_instances", to: max(1024, mostQueues * 2))
                )
            )
        }
        guard findings.isEmpty else { return findings }
        return [.well(.watches, "\(wanted) of \(mostWatches) watches on folders are taken or needed")]
    }

    private static func raising(_ limit: String, to value: Int) -> [String] {
        ["echo fs.inotify.\(limit)=\(value) | sudo tee -a /etc/sysctl.d/60-huddle.conf", "sudo sysctl --system"]
    }
}
