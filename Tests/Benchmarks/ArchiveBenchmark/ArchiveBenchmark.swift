import Foundation
import SecureArchive
import SecureCoding
import Yardstick

/// Compares Huddle's archives with Foundation's coders and Python's in one run: `archive-benchmark [--quick] [keyed]
/// [codable] [tree] [linear]` (default: all parts).
///
/// Figures are megabytes of each one's own archive in a second of processor time, the best of some rounds. Only
/// Huddle's coders check everything that they decode.
@main
struct ArchiveBenchmark {
    static func main() throws {
        let arguments = CommandLine.arguments.dropFirst()
        let parts = arguments.filter { !$0.hasPrefix("-") }
        let rounds = arguments.contains("--quick") ? 1 : 5
        func isWanted(_ part: String) -> Bool { parts.isEmpty || parts.contains(part) }
        for load in [Load.strings, .characters] {
            if isWanted("keyed") { try KeyedPart(load, rounds: rounds).run() }
            if isWanted("codable") { try CodablePart(load, rounds: rounds).run() }
            if isWanted("tree") { try TreePart(load, rounds: rounds).run() }
        }
        if isWanted("linear") { try LinearPart.run(isQuick: rounds == 1) }
    }
}
