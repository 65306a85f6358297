import Foundation
import SecureArchive
import SecureCoding
import Yardstick

/// Compares reading and writing archives here with Foundation's coders and Python's, in one run: `archive-benchmark [--quick] [keyed] [codable]
/// [tree] [linear]`; without a part, all of them.
///
/// Figures are megabytes of each one's own archive in a second of the processor's time, the best of some rounds. Ours check everything that they
/// decode; nobody else does.
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
