/// The result of one check.
package struct Finding: Hashable, Sendable {
    package enum Grade: String, Sendable, Comparable {
        case well = "ok"
        /// A fault that may prevent something from working, or that can't be determined here.
        case warning
        /// A fault that prevents something from working.
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

    /// The subject of the check, in the order of the report.
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
    /// One printable line.
    package let message: String
    /// The effect, and further facts; nil if all is well.
    package let explanation: String?
    /// Commands that fix it.
    package let commands: [String]
    /// The repair that the program can make itself; nil if there is none.
    package var repair: Repair?

    /// The same finding, which a repair ends.
    package func repaired(by repair: Repair) -> Finding {
        var finding = self
        finding.repair = repair
        return finding
    }

    package static func well(_ check: Check, _ message: String) -> Finding {
        Finding(check: check, grade: .well, message: message, explanation: nil, commands: [])
    }

    package static func warning(_ check: Check, _ message: String, why: String, fix: [String]) -> Finding {
        Finding(check: check, grade: .warning, message: message, explanation: why, commands: fix)
    }

    package static func fault(_ check: Check, _ message: String, why: String, fix: [String]) -> Finding {
        Finding(check: check, grade: .fault, message: message, explanation: why, commands: fix)
    }
}

/// Facts that lead to findings.
package protocol Facts: Sendable {
    var findings: [Finding] { get }
}
