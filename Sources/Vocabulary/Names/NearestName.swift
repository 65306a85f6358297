/// Search for the name that a user probably meant.
package enum NearestName {
    /// Maximum length of the typed name; a longer one is not compared.
    private static let longestTyped = 40
    /// Maximum length of a candidate in bytes. A longer one is an unlikely intention, and may come from a stranger's
    /// file.
    private static let longestCandidate = 200

    /// The candidate with the fewest typing mistakes, or the only one that begins with the typed text; nil if none is
    /// close enough to help.
    package static func of(_ typed: String, in candidates: some Sequence<String>) -> String? {
        guard typed.utf8.count <= longestCandidate else { return nil }
        let letters = bareLetters(typed)
        // Two single letters are always one mistake apart.
        guard (2...longestTyped).contains(letters.count) else { return nil }
        let mistakes = max(1, min(3, letters.count / 3))
        var nearest: (name: String, distance: Int)?
        let candidates = candidates.filter { $0.utf8.count <= longestCandidate }
        for name in candidates {
            let candidate = bareLetters(name)
            // Each missing or additional letter is a mistake, so the rest need not be compared.
            guard candidate.count > 1, abs(candidate.count - letters.count) <= mistakes else { continue }
            let distance = distance(letters, candidate)
            if distance <= mistakes, distance < nearest?.distance ?? .max {
                nearest = (name, distance)
            }
        }
        return nearest?.name ?? completion(of: letters, in: candidates)
    }

    private static func completion(of letters: [Character], in candidates: [String]) -> String? {
        let longer = candidates.filter { bareLetters($0).starts(with: letters) }
        return longer.count == 1 ? longer[0] : nil
    }

    /// The letters of a name in lower case without leading dashes, so that `-json` finds `--json`.
    private static func bareLetters(_ name: String) -> [Character] {
        Array(name.lowercased().drop { $0 == "-" })
    }

    /// Number of missing, additional, replaced or swapped letters (optimal string alignment).
    static func distance(_ left: [Character], _ right: [Character]) -> Int {
        var beforeLast: [Int] = []
        var last = Array(0...right.count)
        for row in left.indices {
            var current = [row + 1]
            for column in right.indices {
                let isSame = left[row] == right[column]
                var best = min(last[column] + (isSame ? 0 : 1), last[column + 1] + 1, current[column] + 1)
                if row > 0, column > 0, left[row] == right[column - 1], left[row - 1] == right[column] {
                    best = min(best, beforeLast[column - 1] + 1)
                }
                current.append(best)
            }
            (beforeLast, last) = (last, current)
        }
        return last[right.count]
    }
}
