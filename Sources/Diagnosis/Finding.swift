/// One thing that was looked at, and how it is.
package struct Finding: Hashable, Sendable {
    /// How bad it is.
    package enum Grade: String, Sendable, Comparable {
        case well = "ok"
        /// It may keep something from working, or can't be told from here.
        case warning
        /// It keeps something from working.
        case fault

        private var weight: Int {
            switch self {
            case .well: 0
            case .warning: 1
            case .fault: 2
            }
        }

        package static func < (left: Grade, right: Grade) -> Bool { left.weight < right.weight }
    }

    /// What was looked at, in the order in which it is told.
    package enum Check: String, Sendable, CaseIterable {
        case daemon
        case version
        case settings
        case avahi
        case hostName = "host-name"
        case interfaces
        case multicast
        case port
        case peers
        case games
        case files
        case disk
        case watches
        case clock
    }

    package let check: Check
    package let grade: Grade
    /// One line, fit to print.
    package let message: String
    /// Why it matters, and what else may be known; nil where all is well.
    package let explanation: String?
    /// What mends it, each as it is typed.
    package let commands: [String]

    /// All is well.
    package static func well(_ check: Check, _ message: String) -> Finding {
        Finding(check: check, grade: .well, message: message, explanation: nil, commands: [])
    }

    package static func warning(_ check: Check, _ message: String, why: String, mend: [String]) -> Finding {
        Finding(check: check, grade: .warning, message: message, explanation: why, commands: mend)
    }

    package static func fault(_ check: Check, _ message: String, why: String, mend: [String]) -> Finding {
        Finding(check: check, grade: .fault, message: message, explanation: why, commands: mend)
    }
}

/// What was found out about something, and what follows from it.
package protocol Facts: Sendable {
    var findings: [Finding] { get }
}
